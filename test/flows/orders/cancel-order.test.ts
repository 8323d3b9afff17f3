import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { OrderSnapshot } from '../../../src/domain/orders/order.ts';
import { type CancelOutcome, cancelOrder } from '../../../src/flows/orders/cancel-order.ts';
import { finishOrder } from '../../../src/flows/orders/finish-order.ts';
import { cancelRejectionCodes, type NumbersApi, type UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { type AnyStore, type GatewayOptions, made, ofAlice, ofAll } from '../../support/gateway.ts';
import { alice, bob, byAlice, evidence, moment, must, orderId } from '../../support/values.ts';
import { openActing, readings, seven, unavailable } from '../support/acting.ts';

const cancelable: Partial<OrderSnapshot> = { capabilities: { canCancel: true } };
const receipt = {
  kind: 'receipt',
  receipt: { refundAmount: rupiah(5_000), newBalance: rupiah(90_000) },
} as const;

/** A cancel of order 7 whose reads and POST come to these. */
async function open(
  reads: readonly (Partial<OrderSnapshot> | UpstreamFault)[],
  cancel: NumbersApi['cancel'] = async () => receipt,
  options: Omit<GatewayOptions, 'numbers'> = {},
) {
  const gateway = await openActing({ cancel }, options);
  gateway.upstream.script({ order: readings(() => gateway, ...reads) });
  const ask = (): Promise<CancelOutcome> =>
    gateway.clock.until(cancelOrder(gateway.deps, ofAlice, seven, byAlice)).then(must);
  return { ...gateway, ask };
}

describe('a cancel', () => {
  it('is not for an order that is not there, or another’s: nothing is asked upstream', async () => {
    const gateway = await open([cancelable]);
    expect(await cancelOrder(gateway.deps, ofAlice, orderId(8), byAlice)).toBeNull();
    expect(await cancelOrder(gateway.deps, { kind: 'own', caller: bob }, seven, byAlice)).toBeNull();
    expect(gateway.upstream.calls).toEqual([]);
  });

  it('is skipped where it is not allowed', async () => {
    const gateway = await open([{ capabilities: { canCancel: false } }]);
    expect(await gateway.ask()).toMatchObject({
      kind: 'CancelSkipped',
      orderId: 7,
      order: { status: 'ACTIVE' },
    });
    expect(gateway.upstream.calls).toEqual(['order 7']);
  });

  it('is ambiguous where the flag was not told: that is no yes', async () => {
    const gateway = await open([{ capabilities: { canFinish: true } }]);
    expect(await gateway.ask()).toEqual({ kind: 'CancelAmbiguous', orderId: 7, latestStatus: 'ACTIVE' });
    expect(gateway.upstream.count('cancel')).toBe(0);
  });

  it.each<UpstreamFault>([
    unavailable,
    { kind: 'malformed', httpStatus: 200 },
    { kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' },
    { kind: 'throttled', retryAfterSeconds: 9 },
    { kind: 'unauthorized', httpStatus: 401 },
    { kind: 'not-configured' },
  ])('is ambiguous where the order could not be read: $kind', async (fault) => {
    const gateway = await open([fault]);
    expect(await gateway.ask()).toEqual({ kind: 'CancelAmbiguous', orderId: 7, latestStatus: null });
    expect(gateway.upstream.count('cancel')).toBe(0);
  });

  it('comes to its receipt: the one place where refund figures come from', async () => {
    const gateway = await open([cancelable]);
    expect(await gateway.ask()).toMatchObject({
      kind: 'CancelReceipt',
      refundAmount: 5_000,
      newBalance: 90_000,
      order: { status: 'CANCELED', capabilities: { canCancel: false } },
    });
    expect(gateway.upstream.calls).toEqual(['order 7', 'cancel 7']);
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0, reserved: 0 });
    expect(await gateway.store.balances.latest()).toMatchObject({ amount: 90_000 });
  });

  it('books what the receipt says, once, though the end is told by webhook and poll, too', async () => {
    const gateway = await open([cancelable], async () => ({
      ...receipt,
      receipt: { ...receipt.receipt, refundAmount: rupiah(4_000) },
    }));
    await gateway.ask();
    await gateway.store.orders.record(made({ status: 'CANCELED' }), moment(5_000));
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 1_000 });
  });

  it.each(cancelRejectionCodes)('is rejected: %s', async (code) => {
    const gateway = await open([cancelable], async () => ({ kind: 'rejected', httpStatus: 409, code }));
    expect(await gateway.ask()).toEqual({ kind: 'CancelRejected', orderId: 7, httpStatus: 409, code });
    expect(gateway.upstream.calls).toEqual(['order 7', 'cancel 7']);
    expect(await gateway.store.orders.find(ofAlice, seven)).toMatchObject({ status: 'ACTIVE' });
  });

  it('with an unclear end is confirmed by one read, without figures', async () => {
    const gateway = await open([cancelable, { status: 'CANCELED' }], async () => ({ kind: 'unclear' }));
    const outcome = await gateway.ask();
    expect(outcome).toMatchObject({ kind: 'CancelConfirmed', order: { status: 'CANCELED' } });
    expect(Object.keys(outcome).sort()).toEqual(['kind', 'order', 'orderId']);
    expect(gateway.upstream.calls).toEqual(['order 7', 'cancel 7', 'order 7']);
  });

  it.each([
    ['the order goes on', [cancelable, cancelable], 'ACTIVE'],
    ['a message came first', [cancelable, { status: 'OTP_RECEIVED', evidence: evidence(1) }], 'OTP_RECEIVED'],
    ['it had ended otherwise', [cancelable, { status: 'EXPIRED' }], 'EXPIRED'],
    ['that read fails: the status of the first', [cancelable, unavailable], 'ACTIVE'],
  ] as const)('with an unclear end is ambiguous where %s', async (_, reads, latestStatus) => {
    const gateway = await open(reads, async () => ({ kind: 'unclear' }));
    expect(await gateway.ask()).toEqual({ kind: 'CancelAmbiguous', orderId: 7, latestStatus });
    expect(gateway.upstream.count('cancel')).toBe(1);
  });

  it('still brings the message that came between read and POST', async () => {
    const late = { status: 'OTP_RECEIVED', evidence: evidence(1) } as const;
    const gateway = await open([cancelable, late], async () => ({ kind: 'unclear' }));
    await gateway.ask();
    expect(await gateway.store.orders.messages(ofAlice, seven, -1, 9)).toMatchObject([{ revision: 1 }]);
  });

  it('of an order made elsewhere is an operator’s, and in nobody’s books', async () => {
    const gateway = await open([cancelable]);
    await gateway.store.orders.record(made({ id: orderId(9) }), moment(0));
    const outcome = await gateway.clock.until(cancelOrder(gateway.deps, ofAll, orderId(9), byAlice));
    expect(outcome).toMatchObject({ kind: 'CancelReceipt', order: { owner: null } });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 5_000 });
  });
});

describe('asked for at once', () => {
  it.each([2, 10])('by %d, it is sent once, and all get the one receipt', async (askers) => {
    // Or the first would be through before the last has begun.
    const gateway = await open([cancelable], async () => {
      await gateway.clock.sleep(1_000);
      return receipt;
    });
    const asks = Array.from({ length: askers }, () => cancelOrder(gateway.deps, ofAlice, seven, byAlice));
    const outcomes = await gateway.clock.until(Promise.all(asks));
    expect(gateway.upstream.calls).toEqual(['order 7', 'cancel 7']);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: 'CancelReceipt', refundAmount: 5_000 });
  });

  it.each([
    ['rejected', { kind: 'rejected', httpStatus: 409, code: 'CANCEL_TOO_EARLY' }, 'CancelRejected'],
    ['ambiguous', { kind: 'unclear' }, 'CancelAmbiguous'],
  ] as const)('over two instances it is sent once, and both get: %s', async (_, reply, kind) => {
    const cancel: NumbersApi['cancel'] = async () => {
      await gateway.clock.sleep(3_000);
      return reply;
    };
    const gateway = await open([cancelable], cancel);
    const { database, clock } = gateway;
    const other = await open([cancelable], cancel, { database, clock, seed: 2 });
    const asks = [gateway.deps, other.deps].map((deps) => cancelOrder(deps, ofAlice, seven, byAlice));
    const outcomes = await clock.until(Promise.all(asks));
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual([kind, kind]);
    // Either may be the first: of two connections PostgreSQL serves whichever it likes.
    const [idle, acting] = [gateway, other]
      .map(({ upstream }) => upstream)
      .sort((a, b) => a.calls.length - b.calls.length);
    expect(idle?.calls).toEqual([]);
    expect(acting?.count('cancel')).toBe(1);
    // Without a wake from the other instance, within a second of the end.
    expect(clock.now()).toBeLessThanOrEqual(moment(4_000));
  });

  it('with a finish of the same order, both are sent: they are two actions', async () => {
    const gateway = await open([{ capabilities: { canCancel: true, canFinish: true } }]);
    gateway.upstream.script({
      finish: async () => ({ kind: 'rejected', httpStatus: 409, code: 'CONFLICT' }),
    });
    const asks = [
      cancelOrder(gateway.deps, ofAlice, seven, byAlice),
      finishOrder(gateway.deps, ofAlice, seven, byAlice),
    ] as const;
    const [canceled, finished] = await gateway.clock.until(Promise.all(asks));
    expect([canceled?.kind, finished?.kind]).toEqual(['CancelReceipt', 'FinishRejected']);
  });

  it('after one that has ended, it begins anew, with a read of its own', async () => {
    const gateway = await open([cancelable, { status: 'CANCELED', capabilities: { canCancel: false } }]);
    await gateway.ask();
    expect(await gateway.ask()).toMatchObject({ kind: 'CancelSkipped', order: { status: 'CANCELED' } });
    expect(gateway.upstream.count('cancel')).toBe(1);
  });
});

describe('an asker that dies', () => {
  it('leaves the action to the next, once its lease is over', async () => {
    const gateway = await open([cancelable], () => new Promise(() => undefined));
    void cancelOrder(gateway.deps, ofAlice, seven, byAlice);
    await gateway.clock.pass(1_000);
    const { database, clock } = gateway;
    const other = await openActing(
      {
        cancel: async () => receipt,
        order: readings(() => gateway, { status: 'CANCELED', capabilities: { canCancel: false } }),
      },
      { database, clock, seed: 2 },
    );
    const outcome = await clock.until(cancelOrder(other.deps, ofAlice, seven, byAlice));
    expect(outcome).toMatchObject({ kind: 'CancelSkipped', order: { status: 'CANCELED' } });
    expect(other.upstream.calls).toEqual(['order 7']);
    expect(clock.now()).toBeGreaterThanOrEqual(moment(120_000));
    expect(clock.now()).toBeLessThanOrEqual(moment(122_000));
  });

  it('and comes back too late spoils nothing, and its receipt still counts in the books', async () => {
    const gateway = await open([cancelable], async () => {
      await gateway.clock.sleep(150_000);
      return receipt;
    });
    const first = cancelOrder(gateway.deps, ofAlice, seven, byAlice);
    await gateway.clock.pass(121_000);
    const { database, clock } = gateway;
    const other = await openActing(
      { order: readings(() => gateway, { capabilities: { canCancel: false } }) },
      { database, clock, seed: 2 },
    );
    expect(await clock.until(cancelOrder(other.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'CancelSkipped',
    });
    expect(await clock.until(first)).toMatchObject({ kind: 'CancelReceipt', refundAmount: 5_000 });
    expect(await gateway.store.actions.outcome(seven, 'CANCEL')).toEqual({ kind: 'skipped' });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0 });
  });
});

describe('a store that fails after the POST', () => {
  it.each<[string, (store: AnyStore, failing: Failing) => AnyStore]>([
    [
      'the balance',
      (store, failing) => ({
        ...store,
        balances: { ...store.balances, record: failing(99, store.balances.record) },
      }),
    ],
    [
      'the order',
      (store, failing) => ({
        ...store,
        orders: { ...store.orders, record: failing(99, store.orders.record) },
      }),
    ],
    [
      'the outcome, for a while',
      (store, failing) => ({ ...store, actions: { ...store.actions, end: failing(5, store.actions.end) } }),
    ],
  ])('at %s: the receipt is told and kept all the same', async (_, spoil) => {
    let hasLeft = false;
    const failing: Failing = (times, work) => {
      let left = times;
      return (...args) => (hasLeft && left-- > 0 ? Promise.reject(new Error('disk full')) : work(...args));
    };
    const cancel = async () => {
      hasLeft = true;
      return receipt;
    };
    const gateway = await open([cancelable], cancel, { spoil: (store) => spoil(store, failing) });
    expect(await gateway.ask()).toMatchObject({ kind: 'CancelReceipt', refundAmount: 5_000 });
    expect(await gateway.store.actions.outcome(seven, 'CANCEL')).toMatchObject({ kind: 'receipt' });
    expect(await gateway.store.budgets.find(alice)).toMatchObject({ spent: 0 });
    expect(gateway.upstream.count('cancel')).toBe(1);
  });
});

/** Work that fails so many times once the POST has left. */
type Failing = <Args extends unknown[], Result>(
  times: number,
  work: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;
