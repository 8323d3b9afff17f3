import { describe, expect, test } from 'vitest';
import { hasUsableNumber } from '../../src/domain/orders/order.ts';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { NumbersApi, ReadReply } from '../../src/ports/numbers-api.ts';
import { runWorker } from '../../src/workers/loop.ts';
import { reconciler } from '../../src/workers/reconciler.ts';
import { smsPoller } from '../../src/workers/sms-poller.ts';
import { aDraft, made, openScripted } from '../support/gateway.ts';
import { attemptId, byAlice, job, key, orderId } from '../support/values.ts';

const ORDERS = 10_000;
const ATTEMPTS = 300;
const INTERVAL = 10 * SECOND;
/** A call that is answered takes so long. */
const CALL = 50;

describe('an upstream that is away for an hour, with ten thousand open orders', () => {
  test('is asked seldom meanwhile, and not stormed when it returns', async () => {
    let isAway = true;
    let underWay = 0;
    let most = 0;
    const gateway = await openScripted();
    const { clock, store, upstream } = gateway;
    const call = async <Value>(answer: () => Value): Promise<Value> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await clock.sleep(CALL);
      underWay -= 1;
      return answer();
    };
    const away = { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: null } as const;
    const read = <Value>(value: Value): ReadReply<Value> =>
      isAway ? away : { kind: 'read', value, readAt: clock.now() };
    const script: Partial<NumbersApi> = {
      // All of them have ended meanwhile: each has to be read by itself.
      activeOrders: () => call(() => read({ orders: [], spoiled: 0 })),
      order: (id) => call(() => read(made({ id, status: 'EXPIRED' }))),
      balance: () => call(() => away),
      sendPaid: () =>
        call(() =>
          isAway
            ? { kind: 'http-5xx' as const, httpStatus: 503, retryAfterSeconds: null }
            : { kind: 'made' as const, orders: [], failedCount: 1 },
        ),
    };
    upstream.script(script);

    const wish = aDraft('many', { quantity: ORDERS });
    const prepared = await store.attempts.prepare(wish, 'token', byAlice);
    if (prepared.kind !== 'fresh' || prepared.claim === null) throw new Error('the attempt is not fresh');
    const orders = Array.from({ length: ORDERS }, (_, n) => made({ id: orderId(n + 1) }));
    await store.attempts.settle(prepared.claim, { kind: 'made', orders, failedCount: 0 });
    expect((await store.orders.open()).filter(({ hasNumber }) => hasNumber)).toHaveLength(ORDERS);
    expect(orders.every(hasUsableNumber)).toBe(true);
    for (let n = 0; n < ATTEMPTS; n++) {
      const draft = aDraft(`of-${n}`, {
        id: attemptId(`a-${n}`),
        businessJobId: job(`j-${n}`),
        idempotencyKey: key(`k-${n}`),
      });
      const one = await store.attempts.prepare(draft, 'token', byAlice);
      if (one.kind !== 'fresh' || one.claim === null) throw new Error('the attempt is not fresh');
      await store.attempts.settle(one.claim, { kind: 'transport' });
    }

    const workers = [
      runWorker(gateway.deps, smsPoller(gateway.deps, INTERVAL)),
      runWorker(gateway.deps, reconciler(gateway.deps)),
    ];
    await clock.pass(30 * MINUTE);
    const polls = upstream.count('activeOrders') + upstream.count('order');
    // Once a round, all orders together; a replay of each attempt no sooner than its backoff.
    expect(polls).toBeLessThanOrEqual((30 * MINUTE) / INTERVAL + 1);
    expect(polls).toBeGreaterThan(100);
    const replays = upstream.count('sendPaid');
    expect(replays).toBeGreaterThan(ATTEMPTS);
    expect(replays).toBeLessThanOrEqual(ATTEMPTS * 32);
    await clock.pass(HOUR / 2 - 2 * MINUTE);

    isAway = false;
    most = 0;
    const before = upstream.calls.length;
    await clock.pass(SECOND);
    // Four reads and four replays at once, each taking its time.
    expect(upstream.calls.length - before).toBeLessThanOrEqual(8 * (SECOND / CALL) + 8);
    await clock.pass(10 * MINUTE);
    expect(most).toBeLessThanOrEqual(8);
    // And all is caught up with.
    expect(await store.orders.open()).toEqual([]);
    for (const worker of workers) await clock.until(worker.stop());
  }, 180_000);
});
