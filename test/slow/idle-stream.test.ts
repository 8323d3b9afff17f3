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
  let text = '';
  const reading = (async () => {
    for await (const part of response.body ?? []) text += new TextDecoder().decode(part);
  })().catch(() => undefined);
  // Two pings, each within thirty seconds of what came before it: proxies drop what is silent for a minute.
  await expect
    .poll(() => text.match(/^:/gm)?.length ?? 0, { timeout: 60_000, interval: 200 })
    .toBeGreaterThanOrEqual(2);
  controller.abort();
  await reading;
  await gateway.close();
});
