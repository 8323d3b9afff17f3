import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../../src/flows/orders/cancel-order.ts';
import { finishOrder } from '../../../src/flows/orders/finish-order.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { createGate } from '../../../src/upstream/gate.ts';
import type { Http } from '../../../src/upstream/http.ts';
import { createSmscodeApi } from '../../../src/upstream/smscode/client.ts';
import { countedMetrics } from '../../support/counted-metrics.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { haveOrders, made, ofAlice, openGateway } from '../../support/gateway.ts';
import { keptLog } from '../../support/kept-log.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { byAlice, orderId } from '../../support/values.ts';

const order = {
  id: 7,
  status: 'ACTIVE',
  amount: 5_000,
  product_id: 70,
  can_cancel: true,
  can_finish: true,
};
const refund = { order_id: 7, status: 'CANCELED', refund_amount: 5_000, new_balance: 1 };
const finished = { order_id: 7, status: 'COMPLETED' };
const success = (data: unknown): object => ({ success: true, data });
const failure = (code: string): object => ({ success: false, error: { code, message: 'no' } });

/** The real client over a way out that answers every read with one order, and every POST with one answer. */
function answering(
  clock: FakeClock,
  read: object,
  status: number,
  post: object,
): { numbers: NumbersApi; posts: () => number } {
  let posts = 0;
  const http: Http = {
    async call({ method }) {
      if (method === 'POST') posts += 1;
      const body = Buffer.from(JSON.stringify(method === 'GET' ? success(read) : post));
      return {
        kind: 'answer',
        status: method === 'GET' ? 200 : status,
        body,
        retryAfterSeconds: null,
        elapsedMs: 1,
      };
    },
    close: async () => undefined,
  };
  const numbers = createSmscodeApi({
    baseUrl: 'http://127.0.0.1/v1',
    token: 'token',
    webhookSecret: null,
    http,
    gate: createGate(8, clock),
    clock,
    random: seededRandom(1),
    log: keptLog().log,
    metrics: countedMetrics().metrics,
  });
  return { numbers, posts: () => posts };
}

async function outcomeOf(
  action: typeof cancelOrder | typeof finishOrder,
  read: object,
  status: number,
  post: object,
) {
  const clock = createFakeClock();
  const { numbers, posts } = answering(clock, read, status, post);
  const gateway = await openGateway({ numbers, clock });
  await haveOrders(gateway.store, made());
  const outcome = await clock.until<{ readonly kind: string } | null>(
    action(gateway.deps, ofAlice, orderId(7), byAlice),
  );
  return { kind: outcome?.kind, posts: posts() };
}

describe('on the wire', () => {
  it.each<[string, object, number, object, string, number]>([
    ['a receipt', order, 200, success(refund), 'CancelReceipt', 1],
    ['a flag that is text', { ...order, can_cancel: 'true' }, 200, success(refund), 'CancelAmbiguous', 0],
    ['a flag that is a number', { ...order, can_cancel: 1 }, 200, success(refund), 'CancelAmbiguous', 0],
    ['a flag that is null', { ...order, can_cancel: null }, 200, success(refund), 'CancelAmbiguous', 0],
    ['a flag that says no', { ...order, can_cancel: false }, 200, success(refund), 'CancelSkipped', 0],
    ['a snapshot of another order', { ...order, id: 8 }, 200, success(refund), 'CancelAmbiguous', 0],
    [
      'a snapshot with refund figures',
      { ...order, refund_amount: 1 },
      200,
      success(refund),
      'CancelAmbiguous',
      0,
    ],
    [
      'a snapshot of no known status',
      { ...order, status: 'DONE' },
      200,
      success(refund),
      'CancelAmbiguous',
      0,
    ],
    ['the receipt of another order', order, 200, success({ ...refund, order_id: 8 }), 'CancelAmbiguous', 1],
    [
      'a receipt of another status',
      order,
      200,
      success({ ...refund, status: 'EXPIRED' }),
      'CancelAmbiguous',
      1,
    ],
    ['a refund below nothing', order, 200, success({ ...refund, refund_amount: -1 }), 'CancelAmbiguous', 1],
    ['a receipt with a key too many', order, 200, success({ ...refund, note: '' }), 'CancelAmbiguous', 1],
    ['an envelope with a key too many', order, 200, { ...success(refund), note: '' }, 'CancelAmbiguous', 1],
    ['a receipt under 201', order, 201, success(refund), 'CancelAmbiguous', 1],
    ['a documented rejection', order, 409, failure('CANCEL_TOO_EARLY'), 'CancelRejected', 1],
    ['its code under another status', order, 422, failure('CANCEL_TOO_EARLY'), 'CancelAmbiguous', 1],
    ['a code that no cancel has', order, 422, failure('NO_OFFER_AVAILABLE'), 'CancelAmbiguous', 1],
    ['a documented 500', order, 500, failure('INTERNAL_ERROR'), 'CancelRejected', 1],
    ['another 500', order, 500, { error: 'oops' }, 'CancelAmbiguous', 1],
  ])('a cancel with %s', async (_, read, status, post, kind, posts) => {
    expect(await outcomeOf(cancelOrder, read, status, post)).toEqual({ kind, posts });
  });

  it.each<[string, object, number, object, string, number]>([
    ['a receipt', order, 200, success(finished), 'FinishReceipt', 1],
    ['the receipt of another order', order, 200, success({ ...finished, order_id: 8 }), 'FinishAmbiguous', 1],
    [
      'a receipt of another status',
      order,
      200,
      success({ ...finished, status: 'ACTIVE' }),
      'FinishAmbiguous',
      1,
    ],
    ['a code that no finish has', order, 422, failure('PROVIDER_ERROR'), 'FinishAmbiguous', 1],
    ['a documented rejection', order, 409, failure('CONFLICT'), 'FinishRejected', 1],
  ])('a finish with %s', async (_, read, status, post, kind, posts) => {
    expect(await outcomeOf(finishOrder, read, status, post)).toEqual({ kind, posts });
  });
});
