import { describe, expect, it } from 'vitest';
import { signature } from '../../../src/sandbox/smscode/webhooks.ts';
import { openReceiver } from '../support/receiver.ts';
import {
  anOrder,
  dataOf,
  eventually,
  expectRefusal,
  ledgerOf,
  openSandbox,
  QUIET,
  type TestSandbox,
} from '../support/sandbox.ts';

/** One order, and a sandbox that tells `url` about it. */
async function telling(url: string | null): Promise<{ sandbox: TestSandbox; id: number }> {
  const sandbox = await openSandbox({ webhook: { url } });
  await sandbox.steer('POST settings', QUIET);
  return { sandbox, id: (await anOrder(sandbox)).id };
}

async function sms(sandbox: TestSandbox, id: number, message = 'code 1234'): Promise<void> {
  await sandbox.steer('POST sms', { order_id: id, message });
  await sandbox.clock.pass(0);
}

async function attempts(sandbox: TestSandbox, count: number): Promise<(number | null)[]> {
  const read = async () => (await ledgerOf(sandbox)).webhooks.attempts.map(({ status }) => status);
  await eventually(read).toHaveLength(count);
  return read();
}

describe('a delivery', () => {
  it('is signed over its exact bytes with the secret of the moment', async () => {
    const receiver = await openReceiver();
    const { sandbox, id } = await telling(receiver.url);
    await sms(sandbox, id, 'Код: 1234 😀');
    const [first] = await receiver.received(1);
    expect(first?.path).toBe('/hooks');
    expect(first?.signature).toBe(signature('sandbox-secret', first?.body ?? ''));
    await sandbox.call('PATCH /v1/webhook', { webhook_secret: 'other' });
    await sms(sandbox, id);
    const [, second] = await receiver.received(2);
    expect(second?.signature).toBe(signature('other', second?.body ?? ''));
    await sandbox.call('PATCH /v1/webhook', { webhook_secret: '' });
    await sms(sandbox, id);
    expect((await receiver.received(3))[2]?.signature).toBeUndefined();
  });

  it('is retried on its schedule with the same bytes, then dropped', async () => {
    const receiver = await openReceiver(() => 500);
    const { sandbox, id } = await telling(receiver.url);
    await sms(sandbox, id);
    const waits = [5, 30, 120, 600];
    for (const [at, seconds] of waits.entries()) {
      await attempts(sandbox, at + 1);
      await sandbox.clock.pass(seconds * 1000 - 1);
      expect(receiver.deliveries).toHaveLength(at + 1);
      await sandbox.clock.pass(1);
      await receiver.received(at + 2);
    }
    await attempts(sandbox, 5);
    await sandbox.steer('POST settings', { webhook_retry_seconds: [5, 30, 120, 600] });
    await sandbox.clock.pass(1_800_000);
    // The last one was planned before the schedule was cut short; then come that of the order's end.
    await receiver.received(6);
    expect(new Set(receiver.deliveries.map(({ body }) => body)).size).toBe(2);
    await sandbox.clock.pass(3_600_000);
    await attempts(sandbox, receiver.deliveries.length);
  });

  it('counts failures in a row, and is disabled at ten until a PATCH', async () => {
    let status = 500;
    const receiver = await openReceiver(() => status);
    const { sandbox, id } = await telling(receiver.url);
    await sandbox.steer('POST settings', { webhook_retry_seconds: [] });
    const config = async () => dataOf(await sandbox.call('GET /v1/webhook'));
    for (let failed = 1; failed <= 3; failed++) {
      await sms(sandbox, id);
      await attempts(sandbox, failed);
    }
    expect(await config()).toMatchObject({ webhook_consecutive_failures: 3, webhook_disabled_at: null });
    status = 204;
    await sms(sandbox, id);
    await attempts(sandbox, 4);
    expect(await config()).toMatchObject({ webhook_consecutive_failures: 0 });
    status = 404;
    for (let failed = 1; failed <= 10; failed++) {
      await sms(sandbox, id);
      await attempts(sandbox, 4 + failed);
    }
    expect(await config()).toMatchObject({
      webhook_consecutive_failures: 10,
      webhook_disabled_at: '2026-09-02T06:40:00.000Z',
      webhook_disabled_reason: 'consecutive_failed_user_endpoint',
    });
    // What happens meanwhile is lost, and tests still go out.
    status = 200;
    await sms(sandbox, id);
    expect(dataOf(await sandbox.call('POST /v1/webhook/test'))).toEqual({ status_code: 200 });
    await sandbox.call('PATCH /v1/webhook', { webhook_url: receiver.url });
    expect(await config()).toMatchObject({ webhook_consecutive_failures: 0, webhook_disabled_at: null });
    await sms(sandbox, id);
    expect(await attempts(sandbox, 15)).toEqual(expect.arrayContaining([200]));
    expect(receiver.deliveries).toHaveLength(16);
  });

  it('does not follow a redirect, and gives up on a silent endpoint after ten seconds', async () => {
    let status: number | null = 307;
    const receiver = await openReceiver(() => status);
    const { sandbox, id } = await telling(receiver.url);
    await sms(sandbox, id);
    expect(await attempts(sandbox, 1)).toEqual([307]);
    expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/hooks']);
    status = null;
    await sandbox.clock.pass(5000);
    await receiver.received(2);
    await sandbox.clock.pass(9999);
    expect((await ledgerOf(sandbox)).webhooks.attempts).toHaveLength(1);
    await sandbox.clock.pass(1);
    expect(await attempts(sandbox, 2)).toEqual([307, null]);
  });

  it('is not made while webhooks are off or no URL is set', async () => {
    const receiver = await openReceiver();
    const { sandbox, id } = await telling(null);
    await sms(sandbox, id);
    await sandbox.call('PATCH /v1/webhook', { webhook_url: receiver.url });
    await sandbox.steer('POST settings', { webhooks: false });
    await sms(sandbox, id);
    await sandbox.steer('POST settings', { webhooks: true });
    await sms(sandbox, id);
    expect((await receiver.received(1))[0]?.body).toContain('"sms_revision":3');
    expect((await ledgerOf(sandbox)).webhooks.pending).toBe(0);
  });

  it('is duplicated, dropped, spoiled or overtaken by a fault', async () => {
    const receiver = await openReceiver(() => 200);
    const { sandbox, id } = await telling(receiver.url);
    const revisions = () => receiver.deliveries.map(({ body }) => /"sms_revision":(\d+)/.exec(body)?.[1]);
    await sandbox.steer('POST faults', { kind: 'webhook_duplicate', match: { event: 'order.otp_received' } });
    await sms(sandbox, id);
    await receiver.received(2);
    await attempts(sandbox, 1);
    await sandbox.steer('POST faults', { kind: 'webhook_drop', match: { order_id: id } });
    await sms(sandbox, id);
    await sandbox.steer('POST faults', { kind: 'webhook_reorder' });
    await sms(sandbox, id);
    await sms(sandbox, id);
    await receiver.received(4);
    expect(revisions()).toEqual(['1', '1', '4', '3']);
    await attempts(sandbox, 3);
    await sandbox.steer('POST faults', { kind: 'webhook_bad_signature' });
    await sms(sandbox, id);
    const spoiled = (await receiver.received(5))[4];
    expect(spoiled?.signature).toBe(`sha256=${'0'.repeat(64)}`);
    await attempts(sandbox, 4);
    await sandbox.steer('POST faults', { kind: 'webhook_delay', ms: 3000 });
    await sms(sandbox, id);
    await sandbox.clock.pass(2999);
    expect(receiver.deliveries).toHaveLength(5);
    await sandbox.clock.pass(1);
    await receiver.received(6);
  });
});

describe('the webhook settings', () => {
  it('start with what the sandbox was told, and are patched field by field', async () => {
    const { call } = await openSandbox({ webhook: { url: 'http://localhost:1/x' } });
    expect(dataOf(await call('GET /v1/webhook'))).toMatchObject({
      webhook_url: 'http://localhost:1/x',
      webhook_secret: 'sandbox-secret',
    });
    const patch = async (body: object) => dataOf(await call('PATCH /v1/webhook', body));
    expect(await patch({ webhook_url: 'https://gateway.example/h', webhook_secret: null })).toMatchObject({
      webhook_url: 'https://gateway.example/h',
      webhook_secret: 'sandbox-secret',
    });
    expect(await patch({ webhook_url: '', webhook_secret: '' })).toMatchObject({
      webhook_url: null,
      webhook_secret: null,
    });
    expect(await patch({ webhook_url: 'https://gateway.example/h' })).toMatchObject({
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('refuse what is empty, too long, not https, or private', async () => {
    const { call } = await openSandbox();
    for (const body of [
      {},
      { webhook_url: null },
      { webhook_url: null, webhook_secret: null },
      { webhook_url: 1 },
      { webhook_url: 'https://gateway.example/h', more: 1 },
      { webhook_url: `https://gateway.example/${'x'.repeat(2048)}` },
      { webhook_secret: 'x'.repeat(257) },
      ...[
        'gateway.example',
        'http://gateway.example/',
        'ftp://127.0.0.1/',
        'https://10.0.0.1/',
        'https://192.168.1.1/',
        'https://172.20.0.1/',
        'https://169.254.169.254/latest',
        'https://[fd00::1]/',
        'https://[::ffff:10.0.0.1]/',
        'https://0x0a000001/',
        'https://router.local/',
      ].map((webhook_url) => ({ webhook_url })),
    ]) {
      const answer = await call('PATCH /v1/webhook', body);
      expect(answer, JSON.stringify(body)).toMatchObject({
        status: 422,
        body: { error: { code: 'VALIDATION_ERROR' } },
      });
    }
    for (const webhook_url of [
      'http://127.0.0.1:4000/h',
      'http://[::1]:4000/h',
      'https://gateway.example/h',
    ]) {
      expect((await call('PATCH /v1/webhook', { webhook_url })).status).toBe(200);
    }
  });

  it('are tested at once, five times a minute, and only with a URL', async () => {
    let status = 503;
    const receiver = await openReceiver(() => status);
    const sandbox = await openSandbox();
    expectRefusal(await sandbox.call('POST /v1/webhook/test'), 422, 'VALIDATION_ERROR');
    await sandbox.call('PATCH /v1/webhook', { webhook_url: 'http://127.0.0.1:1/nobody' });
    expectRefusal(await sandbox.call('POST /v1/webhook/test'), 422, 'PROVIDER_ERROR');
    await sandbox.call('PATCH /v1/webhook', { webhook_url: receiver.url });
    for (status of [503, 200, 418]) {
      expect(dataOf(await sandbox.call('POST /v1/webhook/test'))).toEqual({ status_code: status });
    }
    const limited = await sandbox.call('POST /v1/webhook/test');
    expectRefusal(limited, 429, 'RATE_LIMIT_EXCEEDED');
    expect(limited.headers.get('retry-after')).toBe('60');
    // Tests count neither as failures nor as successes.
    expect(dataOf(await sandbox.call('GET /v1/webhook'))['webhook_consecutive_failures']).toBe(0);
  });
});
