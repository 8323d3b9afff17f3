import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { startGateway, until } from '../api/support/gateway.ts';
import { endExamples, startExample } from './support/example.ts';

afterEach(endExamples);

it('the receiver takes a signed alert of the gateway in, and no forged one', async () => {
  const port = await freePort();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = startExample('alerts/receive-alerts.ts', [], {
    ALERT_WEBHOOK_SECRET: secret,
    ALERTS_PORT: String(port),
  });
  const url = `http://127.0.0.1:${port}/`;
  const forged = (): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
      },
      body: '{"data":{"kind":"FORGED","message":""}}',
    });
  await until(
    'the receiver listens',
    () =>
      forged().then(
        (response) => response.status === 401,
        () => false,
      ),
    30_000,
  );

  // More than the sandbox's account holds.
  const gateway = await startGateway({
    BALANCE_ALERT_BELOW: '99000000',
    ALERT_WEBHOOK_URL: url,
    ALERT_WEBHOOK_SECRET: secret,
  });
  try {
    await receiver.prints('LOW_BALANCE: ');
    expect(receiver.stdout()).toContain('below 99000000');
    expect(receiver.stdout()).not.toContain('FORGED');
  } finally {
    await gateway.close();
  }
}, 60_000);

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address instanceof Object ? address.port : 0));
    });
  });
}
