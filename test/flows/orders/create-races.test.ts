import { describe, expect, it } from 'vitest';
import { createOrder } from '../../../src/flows/orders/create-order.ts';
import { limitBudget, made, openScripted } from '../../support/gateway.ts';
import { alice, byAlice, job, moment, must, orderId } from '../../support/values.ts';
import {
  asked,
  attemptOf,
  oneMade,
  openCreating,
  outcomeIn,
  provider,
  sendsOf,
} from '../support/creating.ts';

describe('at the same instant', () => {
  it('50 creates of one job send one request, and none fails', async () => {
    const gateway = await openCreating();
    const results = await gateway.clock.until(
      Promise.all(Array.from({ length: 50 }, () => createOrder(gateway.deps, asked, byAlice))),
    );
    expect(sendsOf(gateway)).toBe(1);
    const kinds = results.map((result) => outcomeIn(result).kind);
    expect(new Set(kinds)).toEqual(new Set(['CreateOrderResolved', 'CreateOrderInFlight']));
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderResolved');
  });

  it('50 creates of one job by two instances send one request', async () => {
    const gateway = await openCreating();
    const { database, clock } = gateway;
    const other = await openScripted(provider(), { database, clock, seed: 2 });
    const both = [gateway.deps, other.deps];
    const creates = Array.from({ length: 50 }, (_, n) => createOrder(must(both[n % 2]), asked, byAlice));
    const results = await clock.until(Promise.all(creates));
    expect(sendsOf(gateway) + sendsOf(other)).toBe(1);
    expect(new Set(results.map((result) => outcomeIn(result).attempt?.id)).size).toBe(1);
  });

  it('50 creates with a budget for ten make exactly ten orders', async () => {
    let id = 100;
    const gateway = await openCreating({
      sendPaid: async () => ({ kind: 'made', orders: [made({ id: orderId(id++) })], failedCount: 0 }),
    });
    await limitBudget(gateway.store, 50_000);
    const creates = Array.from({ length: 50 }, (_, n) =>
      createOrder(gateway.deps, { ...asked, businessJobId: job(`job-${n}`) }, byAlice),
    );
    const outcomes = (await gateway.clock.until(Promise.all(creates))).map(outcomeIn);
    const refused = outcomes.filter((one) => one.kind === 'CreateOrderNotSent');
    expect(refused).toHaveLength(40);
    for (const one of refused) {
      expect(one).toMatchObject({ attempt: null, reason: 'BUDGET_EXCEEDED', budget: { limit: 50_000 } });
    }
    expect(outcomes.filter((one) => one.kind === 'CreateOrderResolved')).toHaveLength(10);
    expect(sendsOf(gateway)).toBe(10);
    expect(await gateway.store.budgets.find(alice)).toEqual({ limit: 50_000, spent: 50_000, reserved: 0 });
  });
});

describe('a store that fails', () => {
  it('before the send: nothing leaves', async () => {
    const gateway = await openCreating(
      {},
      {
        spoil: (store) => ({
          ...store,
          attempts: { ...store.attempts, prepare: () => Promise.reject(new Error('disk full')) },
        }),
      },
    );
    await expect(gateway.create()).rejects.toThrow('disk full');
    expect(sendsOf(gateway)).toBe(0);
  });

  it.each([1, 5])('%d times at the settling: it is tried again, and the send is not', async (failures) => {
    let left = failures;
    const gateway = await openCreating(
      {},
      {
        spoil: (store) => ({
          ...store,
          attempts: {
            ...store.attempts,
            settle: (claim, reply) =>
              left-- > 0 ? Promise.reject(new Error('disk full')) : store.attempts.settle(claim, reply),
          },
        }),
      },
    );
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderResolved');
    expect(sendsOf(gateway)).toBe(1);
    expect(gateway.lines.filter(({ level }) => level === 'error')).toHaveLength(failures);
    expect(gateway.clock.now()).toBeLessThan(moment(45_000));
  });

  it('for longer than the lease: the attempt still says that it is being sent', async () => {
    const gateway = await openCreating(
      {},
      {
        spoil: (store) => ({
          ...store,
          attempts: { ...store.attempts, settle: () => Promise.reject(new Error('disk full')) },
        }),
      },
    );
    await expect(gateway.create()).rejects.toThrow('disk full');
    expect(await attemptOf(gateway)).toMatchObject({ state: 'SENDING', sends: 1 });
    expect(gateway.clock.now()).toBeLessThanOrEqual(moment(45_000));
    expect(sendsOf(gateway)).toBe(1);
  });
});

describe('an answer that comes after its claim was lost', () => {
  it('changes nothing, and is kept as evidence', async () => {
    const gateway = await openCreating({
      async sendPaid() {
        // As if stopped for a minute in the middle of the send, while another instance took over.
        await gateway.clock.sleep(60_000);
        const { id } = await attemptOf(gateway);
        expect((await gateway.store.attempts.take(id, 'other')).kind).toBe('claimed');
        return oneMade;
      },
    });
    expect(outcomeIn(await gateway.create())).toMatchObject({
      kind: 'CreateOrderInFlight',
      attempt: { state: 'SENDING', sends: 2 },
    });
    expect(await gateway.store.orders.open()).toEqual([]);
    const evidence = await gateway.database.query('select reply from attempt_evidence');
    expect(evidence).toHaveLength(1);
    expect(JSON.parse(String(evidence[0]?.['reply']))).toMatchObject({ kind: 'made' });
  });
});
