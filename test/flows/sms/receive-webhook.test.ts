import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { receiveWebhook } from '../../../src/flows/sms/receive-webhook.ts';
import { openScripted } from '../../support/gateway.ts';
import { deliver, endEvent, event, signed, smsEvent } from '../support/webhooks.ts';

async function rows(gateway: Awaited<ReturnType<typeof openScripted>>) {
  const found = await gateway.database.query(
    'select dedupe_key, event, order_id, revision, state, body from inbox order by id',
  );
  return found.map(
    (row): Record<string, unknown> => ({
      ...row,
      body: Buffer.isBuffer(row['body']) ? row['body'].toString() : row['body'],
    }),
  );
}

describe('a webhook', () => {
  it('that is genuine is stored, and answered; nothing is done yet', async () => {
    const gateway = await openScripted();
    const body = smsEvent(7, 1);
    expect(await deliver(gateway, body)).toEqual({ kind: 'stored' });
    expect(await rows(gateway)).toEqual([
      {
        dedupe_key: 'order.otp_received:7:1',
        event: 'order.otp_received',
        order_id: 7,
        revision: 1,
        state: 'PENDING',
        body,
      },
    ]);
    expect(gateway.counts.get('webhook stored')).toBe(1);
    expect(await gateway.store.orders.open()).toEqual([]);
  });

  it('that comes again is a duplicate, also with another text or time', async () => {
    const gateway = await openScripted();
    await deliver(gateway, smsEvent(7, 1));
    expect(await deliver(gateway, smsEvent(7, 1))).toEqual({ kind: 'duplicate' });
    expect(await deliver(gateway, smsEvent(7, 1, { otp_message: 'other' }))).toEqual({ kind: 'duplicate' });
    expect(await rows(gateway)).toHaveLength(1);
    expect(gateway.counts.get('webhook duplicate')).toBe(2);
  });

  it('delivered 50 times at once is stored once', async () => {
    const gateway = await openScripted();
    const receipts = await Promise.all(Array.from({ length: 50 }, () => deliver(gateway, smsEvent(7, 1))));
    expect(receipts.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
    expect(receipts.filter(({ kind }) => kind === 'duplicate')).toHaveLength(49);
  });

  it.each<[string, string, string]>([
    ['a message', smsEvent(7, 2), 'order.otp_received:7:2'],
    ['an end', endEvent(7, 'expired'), 'order.expired:7'],
    ['an event of a new kind', event('order.moved', { order_id: 7 }), 'order.moved:7'],
  ])('is known again by its key: %s', async (_, body, key) => {
    const gateway = await openScripted();
    await deliver(gateway, body);
    expect(await rows(gateway)).toMatchObject([{ dedupe_key: key, state: 'PENDING' }]);
  });

  it.each([
    ['text', '1'],
    ['null', null],
    ['true', true],
    ['a fraction', 1.5],
    ['huge', 1e308],
    ['missing', undefined],
  ])('whose revision is %s does not take the place of the good one', async (_, revision) => {
    const gateway = await openScripted();
    expect(await deliver(gateway, smsEvent(7, revision))).toEqual({ kind: 'stored' });
    expect(await deliver(gateway, smsEvent(7, 1))).toEqual({ kind: 'stored' });
    const [odd, good] = await rows(gateway);
    expect(odd).toMatchObject({ revision: null, state: 'PENDING' });
    expect(String(odd?.['dedupe_key'])).toMatch(/^order\.otp_received:[0-9a-f]{64}$/);
    expect(good).toMatchObject({ dedupe_key: 'order.otp_received:7:1' });
  });

  it('of a test is stored by its bytes', async () => {
    const gateway = await openScripted();
    const body = event('webhook.test', { message: 'hello' });
    expect(await deliver(gateway, body)).toEqual({ kind: 'stored' });
    expect(await deliver(gateway, body)).toEqual({ kind: 'duplicate' });
    expect(await rows(gateway)).toMatchObject([{ event: 'webhook.test', order_id: null, revision: null }]);
  });

  it.each([
    ['no JSON', '{"event": '],
    ['a list', '[]'],
    ['a text', '"order.completed"'],
    ['null', 'null'],
    ['nothing', ''],
    ['equal keys twice', '{"event":"order.completed","event":"order.expired","data":{"order_id":7}}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('that is genuine, and %s, is kept as rejected', async (_, body) => {
    const gateway = await openScripted();
    expect(await deliver(gateway, body)).toEqual({ kind: 'rejected' });
    expect(await rows(gateway)).toMatchObject([{ event: 'rejected', state: 'REJECTED' }]);
    expect(await gateway.store.inbox.pending(9)).toEqual([]);
    expect(gateway.counts.get('webhook rejected')).toBe(1);
  });

  it.each<[string, (genuine: string) => string | null]>([
    ['missing', () => null],
    ['empty', () => ''],
    ['of another secret', () => signed(smsEvent(7, 1), 'other').signature],
    ['of other bytes', () => signed(smsEvent(7, 2)).signature],
    ['in capitals', (genuine) => genuine.toUpperCase()],
    ['in capital hex', (genuine) => `sha256=${genuine.slice(7).toUpperCase()}`],
    ['without its algorithm', (genuine) => genuine.slice(7)],
    ['of another algorithm', (genuine) => genuine.replace('sha256', 'sha1')],
    ['cut short', (genuine) => genuine.slice(0, -2)],
    ['too long', (genuine) => `${genuine}00`],
    ['twice', (genuine) => `${genuine}, ${genuine}`],
    ['no hex', () => `sha256=${'z'.repeat(64)}`],
  ])('whose signature is %s is refused, and costs no row', async (_, forge) => {
    const gateway = await openScripted();
    const { body, signature } = signed(smsEvent(7, 1));
    expect(await receiveWebhook(gateway.deps, body, forge(signature))).toEqual({ kind: 'unsigned' });
    expect(await rows(gateway)).toEqual([]);
    expect(gateway.counts.get('webhook unsigned')).toBe(1);
  });

  it('that was parsed and printed again is not what was signed', async () => {
    const gateway = await openScripted();
    const { body, signature } = signed('{ "event": "order.completed", "data": {"order_id": 7} }');
    const printed = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString())));
    expect(await receiveWebhook(gateway.deps, printed, signature)).toEqual({ kind: 'unsigned' });
    expect(await receiveWebhook(gateway.deps, body, signature)).toEqual({ kind: 'stored' });
  });

  it('that could not be stored is not answered as if it were', async () => {
    const gateway = await openScripted(
      {},
      {
        spoil: (store) => ({
          ...store,
          inbox: { ...store.inbox, insert: () => Promise.reject(new Error('disk full')) },
        }),
      },
    );
    expect(await deliver(gateway, smsEvent(7, 1))).toEqual({ kind: 'failed' });
    expect(await deliver(gateway, 'no JSON')).toEqual({ kind: 'failed' });
    expect(gateway.counts.get('webhook failed')).toBe(2);
    expect(gateway.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  it('leaves neither text nor number in the log', async () => {
    const gateway = await openScripted();
    await deliver(gateway, smsEvent(7, 1, { otp_message: 'secret text', phone_number: '+62811' }));
    await deliver(gateway, 'secret text +62811');
    expect(JSON.stringify(gateway.lines)).not.toMatch(/secret text|62811/);
  });

  it.each([
    'webhook.order-otp-received',
    'webhook.order-otp-received.second-sms',
    'webhook.order-otp-received.without-code',
    'webhook.order-completed',
    'webhook.order-canceled',
    'webhook.order-expired',
    'webhook.webhook-test',
  ])('of the contract’s samples is stored: %s', async (name) => {
    const gateway = await openScripted();
    const sample = readFileSync(new URL(`../../samples/${name}.json`, import.meta.url));
    expect(await deliver(gateway, sample)).toEqual({ kind: 'stored' });
    expect((await rows(gateway))[0]?.['body']).toBe(sample.toString());
  });
});
