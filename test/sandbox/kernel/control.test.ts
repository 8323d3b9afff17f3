import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openSandbox } from '../support/sandbox.ts';

function post(origin: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}/_sandbox/settings`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.once('error', reject);
    call.end('{"webhooks":false}');
  });
}

describe('the control paths', () => {
  it('are closed to foreign hosts and foreign pages', async () => {
    const { origin, steer } = await openSandbox();
    for (const headers of [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example:4010' },
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1.evil.example' },
      { origin: 'null' },
    ]) {
      expect(await post(origin, headers), JSON.stringify(headers)).toBe(403);
    }
    expect((await steer('GET settings')).body).toMatchObject({ webhooks: true });
    for (const headers of [
      {},
      { host: 'localhost:4010' },
      { host: '[::1]:4010' },
      { origin: 'http://localhost:4000' },
    ]) {
      expect(await post(origin, headers), JSON.stringify(headers)).toBe(200);
    }
    expect((await steer('GET settings')).body).toMatchObject({ webhooks: false });
  });

  it('take settings of both sides, all or nothing, and name every mistake', async () => {
    const { call, steer } = await openSandbox();
    const changes = {
      minimum_cancel_seconds: 0,
      rental_seconds: 60,
      resend_cooldown_seconds: 1.5,
      number_delay_seconds: 0,
      sms_delay_seconds: null,
      webhooks: false,
      webhook_retry_seconds: [1, 2],
      balance: 5,
      supplier_min_update_interval_ms: 10,
    };
    expect((await steer('POST settings', changes)).body).toMatchObject(changes);
    for (const [wrong, ...names] of [
      [{ rental_second: 1, balance: 9 }, 'rental_second'],
      [{ rental_seconds: '60', webhooks: 1, balance: 9 }, 'rental_seconds', 'webhooks'],
      [{ rental_seconds: -1, nonsense: 1 }, 'rental_seconds', 'nonsense'],
      [{ balance: null }, 'balance'],
      [{ balance: 1.5, sms_delay_seconds: 'never' }, 'balance'],
      [{ minimum_cancel_seconds: null }, 'minimum_cancel_seconds'],
    ] as const) {
      const answer = await call('POST /_sandbox/settings', wrong);
      expect(answer.status, JSON.stringify(wrong)).toBe(422);
      for (const name of names) expect(JSON.stringify(answer.body)).toContain(name);
    }
    expect((await steer('GET settings')).body).toMatchObject(changes);
  });

  it('refuse what they do not know', async () => {
    const { call } = await openSandbox();
    expect(await call('POST /_sandbox/nothing', {})).toMatchObject({ status: 404 });
    expect(await call('GET /_sandbox/sms')).toMatchObject({ status: 404 });
    for (const body of ['nonsense', '[]', '7']) {
      expect(await call('POST /_sandbox/settings', body)).toMatchObject({ status: 422 });
    }
    for (const body of [
      {},
      { order_id: 1 },
      { order_id: 'one', message: 'x' },
      { order_id: 1, message: 'x', code: '1' },
    ]) {
      expect(await call('POST /_sandbox/sms', body)).toMatchObject({ status: 422 });
    }
    // The graph's ids are texts.
    for (const order_id of [1, '1']) {
      expect(await call('POST /_sandbox/sms', { order_id, message: 'x' })).toMatchObject({ status: 404 });
    }
    expect(await call('POST /_sandbox/products/1', { price: 1 })).toMatchObject({ status: 404 });
    expect(await call('POST /_sandbox/products/70001', { cost: 1 })).toMatchObject({ status: 422 });
  });
});
