import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import { nothingAllowed, type Order } from '../../../src/domain/orders/order.ts';
import { followBalance } from '../../../src/flows/balance/follow-balance.ts';
import { createOrder } from '../../../src/flows/orders/create-order.ts';
import { followAttempt } from '../../../src/flows/orders/follow-attempt.ts';
import { followOrder } from '../../../src/flows/orders/follow-order.ts';
import { replayAttempt } from '../../../src/flows/orders/send-attempt.ts';
import { settled } from '../../support/fake-clock.ts';
import { haveOrders, made, ofAlice, openScripted } from '../../support/gateway.ts';
import { alice, bob, byAlice, evidence, job, moment, must, orderId } from '../../support/values.ts';
import { seven } from '../support/acting.ts';
import { asked, attemptOf, oneMade, openCreating } from '../support/creating.ts';

const ofBob = { kind: 'own', caller: bob } as const;

async function all<Item>(items: AsyncIterableIterator<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('an order', () => {
  it('is for those who may see it', async () => {
    const gateway = await openScripted();
    await haveOrders(gateway.store, made());
    expect(await followOrder(gateway.deps, ofBob, seven)).toBeNull();
    expect(await followOrder(gateway.deps, ofAlice, orderId(8))).toBeNull();
  });

  it('is told as it is, then at each change, none left out, and ends with a terminal status', async () => {
    const gateway = await openScripted();
    await haveOrders(gateway.store, made());
    const items = must(await followOrder(gateway.deps, ofAlice, seven));
    const first = must((await items.next()).value);
    const record = (change: Parameters<typeof made>[0], at: number) =>
      gateway.store.orders.record(made(change), moment(at));
    await record({ capabilities: { ...nothingAllowed, canCancel: true } }, 1_000);
    await record(
      { status: 'OTP_RECEIVED', evidence: evidence(1), capabilities: { canCancel: false } },
      2_000,
    );
    await record({ status: 'OTP_RECEIVED', expiresAt: moment(9) }, 3_000);
    await record({ status: 'COMPLETED' }, 4_000);
    const rest = await all(items);
    const seen = [first, ...rest].map(({ status, capabilities: { canCancel } }) => `${status} ${canCancel}`);
    expect(seen).toEqual(['ACTIVE false', 'ACTIVE true', 'OTP_RECEIVED false', 'COMPLETED false']);
  });

  it('that has ended is told once', async () => {
    const gateway = await openScripted();
    await haveOrders(gateway.store, made({ status: 'EXPIRED' }));
    const items = await all(must(await followOrder(gateway.deps, ofAlice, seven)));
    expect(items.map(({ status }) => status)).toEqual(['EXPIRED']);
  });

  it('is never told with a change and what it looked like before it', async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    const gateway = await openScripted(
      {},
      {
        spoil: (store) => ({
          ...store,
          orders: {
            ...store.orders,
            // A message comes just behind this read, and before whatever is read next.
            async find(scope, id) {
              const order = await store.orders.find(scope, id);
              const turn = meanwhile;
              meanwhile = null;
              await turn?.();
              return order;
            },
            async changes(scope, id, after) {
              const turn = meanwhile;
              meanwhile = null;
              await turn?.();
              return store.orders.changes(scope, id, after);
            },
          },
        }),
      },
    );
    await haveOrders(gateway.store, made());
    const items = must(await followOrder(gateway.deps, ofAlice, seven));
    await items.next();
    meanwhile = () =>
      gateway.store.orders.record(made({ status: 'OTP_RECEIVED', evidence: evidence(1) }), moment(1_000));
    const next: IteratorResult<Order> = await items.next();
    expect(next.value).toMatchObject({ status: 'OTP_RECEIVED', otpMessage: 'message 1', smsRevision: 1 });
  });
});

describe('an attempt', () => {
  it('is its caller’s', async () => {
    const gateway = await openCreating();
    await gateway.create();
    expect(await followAttempt(gateway.deps, bob, job('job-1'))).toBeNull();
    expect(await followAttempt(gateway.deps, alice, job('job-2'))).toBeNull();
  });

  it('is told as it is, then at each event, none left out, and ends when it is final', async () => {
    const gateway = await openCreating({ sendPaid: async () => ({ kind: 'transport' }) });
    await gateway.create();
    const items = must(await followAttempt(gateway.deps, alice, job('job-1')));
    const first = must((await items.next()).value);
    gateway.upstream.script({ sendPaid: async () => oneMade });
    await gateway.clock.pass(2_000);
    await replayAttempt(gateway.deps, (await attemptOf(gateway)).id);
    const seen = [first, ...(await all(items))].map(({ state, sends, version }) => ({
      state,
      sends,
      version,
    }));
    expect(seen).toEqual([
      { state: 'NEEDS_RECONCILIATION', sends: 1, version: 3 },
      { state: 'SENDING', sends: 2, version: 4 },
      { state: 'RESOLVED', sends: 2, version: 5 },
    ]);
  });

  it('that is final is told once', async () => {
    const gateway = await openCreating();
    await gateway.create();
    const items = await all(must(await followAttempt(gateway.deps, alice, job('job-1'))));
    expect(items.map(({ state }) => state)).toEqual(['RESOLVED']);
  });

  it('is followed from its first send on', async () => {
    const gateway = await openCreating({
      async sendPaid() {
        await gateway.clock.sleep(5_000);
        return oneMade;
      },
    });
    const creating = createOrder(gateway.deps, asked, byAlice);
    await gateway.clock.pass(1_000);
    const items = must(await followAttempt(gateway.deps, alice, job('job-1')));
    const told = all(items);
    await gateway.clock.until(creating);
    expect((await told).map(({ state }) => state)).toEqual(['SENDING', 'RESOLVED']);
  });
});

describe('the balance', () => {
  it('is told as it is, then at each change', async () => {
    const gateway = await openScripted();
    const record = (amount: number, at: number) =>
      gateway.store.balances.record({ currency: 'IDR', amount: rupiah(amount), asOf: moment(at) });
    const items = followBalance(gateway.deps);
    const first = items.next();
    await settled();
    await record(100, 0);
    expect((await first).value).toMatchObject({ amount: 100 });
    await record(100, 1_000);
    await record(90, 2_000);
    await record(80, 3_000);
    expect([(await items.next()).value?.amount, (await items.next()).value?.amount]).toEqual([90, 80]);
    const waiting = items.next();
    await settled();
    await items.return?.();
    expect((await waiting).done).toBe(true);
  });
});
