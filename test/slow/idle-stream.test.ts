import { expect, test } from 'vitest';
import { startGateway } from '../api/support/gateway.ts';

test('an idle stream of server-sent events says every dozen seconds that it lives, before a proxy drops it', async () => {
  const gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  const controller = new AbortController();
  const response = await fetch(gateway.graphql, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${gateway.key}`,
    },
    body: JSON.stringify({ query: 'subscription { smsReceived { message } }' }),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const startedAt = performance.now();
  /** When it said anything, in seconds. */
  const said: number[] = [0];
  const reading = (async () => {
    for await (const _part of response.body ?? []) said.push((performance.now() - startedAt) / 1_000);
  })().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  controller.abort();
  await reading;
  await gateway.close();
  said.push(40);
  // Proxies drop what is silent for a minute.
  expect(Math.max(...said.slice(1).map((at, n) => at - (said[n] ?? 0)))).toBeLessThan(20);
});
