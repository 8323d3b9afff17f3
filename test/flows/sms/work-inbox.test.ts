import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../src/domain/sms/event.ts';
import { createOrder } from '../../../src/flows/orders/create-order.ts';
import { workInbox } from '../../../src/flows/sms/work-inbox.ts';
import { inboxWorker } from '../../../src/workers/inbox-worker.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { settled } from '../../support/fake-clock.ts';
import { haveOrders, made, ofAlice, ofAll, openScripted, type TestGateway } from '../../support/gateway.ts';
import { byAlice, evidence, moment, must, orderId } from '../../support/values.ts';
import { readings, seven, unavailable } from '../support/acting.ts';
import { asked, openCreating, provider } from '../support/creating.ts';
import { deliver, endEvent, event, smsEvent } from '../support/webhooks.ts';

async function messages({ store }: TestGateway, id = seven): Promise<number[]> {
  return (await store.orders.messages(ofAll, id, -1, 99)).map(({ revision }) => revision);
}

async function withOrder(script: Parameters<typeof openScripted>[0] = {}) {
  const gateway = await openScripted(script);
  await haveOrders(gateway.store, made());
  return gateway;
}

describe('the inbox', () => {
  it('is worked off: the message is surfaced with status, flags and what else was told', async () => {
    const gateway = await withOrder();
    await deliver(gateway, smsEvent(7, 1, { otp_code: '123', operator_id: 3 }));
    expect(await workInbox(gateway.deps)).toEqual({
      records: 1,
      mayHoldMore: false,
      incomplete: [],
      ended: [],
    });
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({
      status: 'OTP_RECEIVED',
      smsRevision: 1,
      otpCode: '123',
      otpMessage: 'message 1',
      operatorId: 3,
      capabilities: { canFinish: true },
    });
    expect(await gateway.store.orders.messages(ofAlice, seven, -1, 9)).toMatchObject([
      { source: 'WEBHOOK', revision: 1 },
    ]);
    expect(gateway.counts.get('smsAccepted WEBHOOK')).toBe(1);
    expect(await workInbox(gateway.deps)).toMatchObject({ records: 0 });
  });

  it('surfaces what a person would see, whatever the order of arrival', async () => {
    const gateway = await openScripted();
    let id = 100;
    const arrivals = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        async (revisions, works) => {
          const order = orderId(++id);
          await haveOrders(gateway.store, made({ id: order }));
          const expected: number[] = [];
          let waiting: number[] = [];
          for (const [n, revision] of revisions.entries()) {
            const { kind } = await deliver(gateway, smsEvent(order, revision));
            if (kind === 'stored') waiting.push(revision);
            if (works[n] !== true && n < revisions.length - 1) continue;
            await workInbox(gateway.deps);
            // Of those that wait together the lowest goes first: none is passed over.
            for (const one of waiting.sort()) if (one > (expected.at(-1) ?? -1)) expected.push(one);
            waiting = [];
          }
          expect(await messages(gateway, order)).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('reordered on the way, and worked off in between: the older one is kept, and not surfaced', async () => {
    const gateway = await withOrder();
    await deliver(gateway, smsEvent(7, 3));
    await workInbox(gateway.deps);
    await deliver(gateway, smsEvent(7, 2));
    await workInbox(gateway.deps);
    expect(await messages(gateway)).toEqual([3]);
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({
      smsRevision: 3,
      otpMessage: 'message 3',
    });
    expect(await gateway.store.inbox.stats()).toMatchObject({ pending: 0, dead: 0 });
  });

  it.each([
    ['a test', event('webhook.test', { message: 'hello' })],
    ['an event of a new kind', event('order.moved', { order_id: 7 })],
    ['an event of no order', event('order.completed', { order_id: 'seven' })],
    ['a blank message', smsEvent(7, 1, { otp_message: ' ' })],
    ['a revision that is text', smsEvent(7, '1')],
  ])('settles what acts on nothing: %s', async (_, body) => {
    const gateway = await withOrder();
    const before = await gateway.store.orders.find(ofAlice, seven);
    await deliver(gateway, body);
    await workInbox(gateway.deps);
    expect(await gateway.store.orders.find(ofAlice, seven)).toEqual(before);
    expect(await gateway.store.inbox.stats()).toMatchObject({ pending: 0, dead: 0 });
  });

  it('flags a revision that comes again with another text', async () => {
    const gateway = await withOrder();
    await gateway.store.orders.record(
      made({ status: 'OTP_RECEIVED', evidence: evidence(1, 'first') }),
      moment(1),
    );
    await deliver(gateway, smsEvent(7, 1, { otp_message: 'second' }));
    await workInbox(gateway.deps);
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({ otpMessage: 'first' });
    expect(gateway.counts.get('smsConflict')).toBe(1);
    expect(JSON.stringify(gateway.lines)).not.toContain('second');
  });

  it('is worked off once by two instances', async () => {
    const gateway = await withOrder();
    const { database, clock } = gateway;
    const other = await openScripted({}, { database, clock, seed: 2 });
    for (let revision = 1; revision <= 20; revision++) await deliver(gateway, smsEvent(7, revision));
    await Promise.all([workInbox(gateway.deps), workInbox(other.deps)]);
    expect(await messages(gateway)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    const accepted = [gateway, other].map(({ counts }) => counts.get('smsAccepted WEBHOOK') ?? 0);
    expect(accepted.reduce((sum, count) => sum + count)).toBe(20);
  });

  it('of named orders alone, when a read of theirs waits', async () => {
    const gateway = await withOrder();
    await haveOrders(gateway.store, made({ id: orderId(8) }));
    await deliver(gateway, smsEvent(7, 1));
    await deliver(gateway, smsEvent(8, 1));
    expect(await workInbox(gateway.deps, [orderId(8)])).toMatchObject({ records: 1 });
    expect([await messages(gateway), await messages(gateway, orderId(8))]).toEqual([[], [1]]);
  });

  it('that holds more than a batch says so', async () => {
    const gateway = await withOrder();
    for (let revision = 1; revision <= 51; revision++) await deliver(gateway, smsEvent(7, revision));
    expect(await workInbox(gateway.deps)).toMatchObject({ records: 50, mayHoldMore: true });
    expect(await workInbox(gateway.deps)).toMatchObject({ records: 1, mayHoldMore: false });
    expect(await messages(gateway)).toHaveLength(51);
  });
});

describe('a poison record', () => {
  it('is tried ten times, then dead-lettered; all others go on', async () => {
    const gateway = await withOrder();
    // As if a program of tomorrow had stored an order that this one cannot read.
    await gateway.store.orders.record(made({ id: orderId(6) }), moment(0));
    await gateway.database.query(`update orders set status = 'MOVED' where id = 6`);
    await deliver(gateway, smsEvent(6, 1));
    await deliver(gateway, smsEvent(7, 1));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await gateway.clock.pass(1_000);
    expect(await messages(gateway)).toEqual([1]);
    expect(await gateway.store.inbox.stats()).toMatchObject({ pending: 1, dead: 0 });
    await deliver(gateway, smsEvent(7, 2));
    await gateway.clock.pass(600_000);
    expect(await messages(gateway)).toEqual([1, 2]);
    expect(await gateway.store.inbox.stats()).toMatchObject({ pending: 0, dead: 1 });
    expect(gateway.counts.get('inboxDead')).toBe(1);
    await worker.stop();
  });
});

describe('a webhook before its order is known here', () => {
  it('is kept, shown to nobody, and read once so that an operator sees it', async () => {
    const gateway = await openScripted({
      order: async (id) => ({ kind: 'read', value: made({ id, evidence: evidence(1) }), readAt: moment(5) }),
    });
    await deliver(gateway, smsEvent(7, 1));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await settled();
    await gateway.clock.pass(100);
    expect(gateway.upstream.calls).toEqual(['order 7']);
    expect(await gateway.store.orders.find(ofAll, seven)).toMatchObject({ owner: null, smsRevision: 1 });
    expect(await gateway.store.orders.find(ofAlice, seven)).toBeNull();
    await worker.stop();
  });

  it('is joined when the create is answered: its owner gets the message', async () => {
    const gateway = await openCreating(
      provider({
        async sendPaid() {
          await gateway.clock.sleep(10);
          await deliver(gateway, smsEvent(7, 1));
          await workInbox(gateway.deps);
          expect(await gateway.store.orders.find(ofAll, seven)).toBeNull();
          return { kind: 'made', orders: [made()], failedCount: 0 };
        },
      }),
    );
    await gateway.clock.until(createOrder(gateway.deps, asked, byAlice));
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({
      status: 'OTP_RECEIVED',
      smsRevision: 1,
    });
    expect(await gateway.store.orders.messagesAfter(ofAlice, 0, 9)).toMatchObject([{ revision: 1 }]);
  });
});

describe('the webhook of an end', () => {
  const last = { status: 'COMPLETED', evidence: evidence(2) } as const;

  it('has the order read once more: the webhook of its last message may have been lost', async () => {
    const gateway = await withOrder();
    gateway.upstream.script({ order: readings(() => gateway, last) });
    await deliver(gateway, smsEvent(7, 1));
    await deliver(gateway, endEvent(7));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await gateway.clock.pass(500);
    expect(gateway.upstream.calls).toEqual(['order 7']);
    expect(await messages(gateway)).toEqual([1, 2]);
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({ status: 'COMPLETED' });
    await gateway.clock.pass(60_000);
    expect(gateway.upstream.calls).toEqual(['order 7']);
    await worker.stop();
  });

  it('has it read again until that works', async () => {
    const gateway = await withOrder();
    gateway.upstream.script({ order: readings(() => gateway, unavailable, unavailable, last) });
    await deliver(gateway, endEvent(7));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await gateway.clock.pass(5_000);
    expect(gateway.upstream.count('order')).toBe(3);
    expect(await messages(gateway)).toEqual([2]);
    await worker.stop();
  });

  it('has it read in vain a quarter of an hour at most, and tells so', async () => {
    const gateway = await withOrder({ order: async () => unavailable });
    await deliver(gateway, endEvent(7));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await gateway.clock.pass(1_000_000);
    expect(gateway.upstream.count('order')).toBe(10);
    expect(gateway.lines.some(({ message }) => message.includes('could not be read once more'))).toBe(true);
    await worker.stop();
  });

  it('does not hold up the next message', async () => {
    const gateway = await withOrder({ order: () => new Promise(() => undefined) });
    await haveOrders(gateway.store, made({ id: orderId(8) }));
    await deliver(gateway, endEvent(7));
    const worker = runWorker(gateway.deps, inboxWorker(gateway.deps));
    await gateway.clock.pass(100);
    await deliver(gateway, smsEvent(8, 1));
    await settled();
    expect(await messages(gateway, orderId(8))).toEqual([1]);
    await worker.stop();
  });

  it('before its last message: the message is surfaced, and the end stays', async () => {
    const gateway = await withOrder({ order: async () => unavailable });
    await deliver(gateway, endEvent(7));
    await workInbox(gateway.deps);
    await deliver(gateway, smsEvent(7, 1));
    await workInbox(gateway.deps);
    expect(must(await gateway.store.orders.find(ofAlice, seven))).toMatchObject({
      status: 'COMPLETED',
      smsRevision: 1,
    });
    expect(await messages(gateway)).toEqual([1]);
  });
});

it('reads every event as something', async () => {
  const gateway = await openScripted();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const read: WebhookEvent = gateway.deps.webhooks.event(bytes);
      expect(read.kind).toBe('nothing');
    }),
  );
});
