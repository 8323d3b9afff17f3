import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bought, buy, cheapest, postsTo, refuse, sayTo } from './support/buying.ts';
import { codeOf, startGateway, type TestGateway } from './support/gateway.ts';

const FINISH = `mutation ($id: ID!) {
  finishOrder(orderId: $id) {
    __typename orderId
    ... on FinishSkipped { order { status } }
    ... on FinishReceipt { order { status canReactivate canFinish } }
    ... on FinishConfirmed { order { status } }
    ... on FinishRejected { code httpStatus }
    ... on FinishAmbiguous { latestStatus }
  }
}`;
const RESEND = `mutation ($id: ID!) {
  resendSms(orderId: $id) {
    __typename orderId
    ... on ResendSkipped { order { status resendAvailableAt } }
    ... on ResendReceipt { resent afterRevision order { status canResend } }
    ... on ResendRejected { code httpStatus }
    ... on ResendAmbiguous { latestStatus }
  }
}`;

let gateway: TestGateway;
let orders: Bought[] = [];
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  await gateway.control('settings', { reactivation: 'always' });
  orders = [...(await buy(gateway, await cheapest(gateway), 'actions', { quantity: 16 }))];
});
afterAll(() => gateway.close());

function nextOrder(): string {
  const order = orders.pop();
  if (order === undefined) throw new Error('there are too few orders');
  return order.id;
}
async function orderWithSms(): Promise<string> {
  const id = nextOrder();
  await sayTo(gateway, id, 'Your code is 482913');
  return id;
}
const finish = async (id: string, key?: string) => (await gateway.ask(FINISH, { id }, key)).body;
const resend = async (id: string, key?: string) => (await gateway.ask(RESEND, { id }, key)).body;

describe('finishOrder', () => {
  test('without an SMS it is skipped, and nothing is sent', async () => {
    const id = nextOrder();
    expect((await finish(id)).data.finishOrder).toEqual({
      __typename: 'FinishSkipped',
      orderId: id,
      order: { status: 'ACTIVE' },
    });
    expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(0);
  });

  test('after one it is completed and may be reactivated; again, it is skipped', async () => {
    const id = await orderWithSms();
    expect((await finish(id)).data.finishOrder).toEqual({
      __typename: 'FinishReceipt',
      orderId: id,
      order: { status: 'COMPLETED', canReactivate: true, canFinish: false },
    });
    expect((await finish(id)).data.finishOrder.__typename).toBe('FinishSkipped');
    expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(1);
  });

  test('asked for ten times at once it is sent once, and all have the one outcome', async () => {
    const id = await orderWithSms();
    await gateway.control('faults', { kind: 'delay', ms: 1_500, match: { path: '/v1/orders/finish' } });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => finish(id)));
    expect(new Set(outcomes.map(({ data }) => data.finishOrder.__typename))).toEqual(
      new Set(['FinishReceipt']),
    );
    expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(1);
  });

  test.each([
    [409, 'CONFLICT'],
    [422, 'VALIDATION_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('refused with %i %s, it says so and does not repeat', async (status, code) => {
    const id = await orderWithSms();
    await refuse(gateway, '/v1/orders/finish', status, code);
    expect((await finish(id)).data.finishOrder).toEqual({
      __typename: 'FinishRejected',
      orderId: id,
      code,
      httpStatus: status,
    });
    expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(1);
  });

  test('refused with a code that a finish does not have, nothing is concluded from it', async () => {
    const id = await orderWithSms();
    await refuse(gateway, '/v1/orders/finish', 422, 'PROVIDER_ERROR');
    expect((await finish(id)).data.finishOrder.__typename).toBe('FinishAmbiguous');
    expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(1);
  });

  test('cut off after it was done, one read confirms it; cut off before, it is ambiguous', async () => {
    const done = await orderWithSms();
    await gateway.control('faults', { kind: 'reset_after', match: { path: '/v1/orders/finish' } });
    expect((await finish(done)).data.finishOrder).toEqual({
      __typename: 'FinishConfirmed',
      orderId: done,
      order: { status: 'COMPLETED' },
    });
    const open = await orderWithSms();
    await gateway.control('faults', { kind: 'reset_before', match: { path: '/v1/orders/finish' } });
    expect((await finish(open)).data.finishOrder).toEqual({
      __typename: 'FinishAmbiguous',
      orderId: open,
      latestStatus: 'OTP_RECEIVED',
    });
    for (const id of [done, open]) expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(1);
  });
});

describe('resendSms', () => {
  test('without an SMS it is skipped', async () => {
    const id = nextOrder();
    expect((await resend(id)).data.resendSms.__typename).toBe('ResendSkipped');
    expect(await postsTo(gateway, '/v1/orders/resend', id)).toBe(0);
  });

  test('a receipt names the revision behind which the next message comes; then it has to cool down', async () => {
    const id = await orderWithSms();
    expect((await resend(id)).data.resendSms).toEqual({
      __typename: 'ResendReceipt',
      orderId: id,
      resent: true,
      afterRevision: 1,
      order: { status: 'ACTIVE', canResend: false },
    });
    const again = (await resend(id)).data.resendSms;
    expect(again.__typename).toBe('ResendSkipped');
    expect(Date.parse(again.order.resendAvailableAt)).toBeGreaterThan(Date.now());
    expect(await postsTo(gateway, '/v1/orders/resend', id)).toBe(1);

    await sayTo(gateway, id, 'Your new code is 117200');
    const revisions = async () =>
      (await gateway.ask('query ($id: ID!) { order(id: $id) { smsRevisions { revision message } } }', { id }))
        .body.data.order.smsRevisions;
    await expect
      .poll(revisions, { timeout: 5_000 })
      .toEqual([
        expect.objectContaining({ revision: 1 }),
        { revision: 2, message: 'Your new code is 117200' },
      ]);
  });

  test('nothing confirms a resend: cut off, it is ambiguous though it was done', async () => {
    const id = await orderWithSms();
    await gateway.control('faults', { kind: 'reset_after', match: { path: '/v1/orders/resend' } });
    expect((await resend(id)).data.resendSms).toEqual({
      __typename: 'ResendAmbiguous',
      orderId: id,
      latestStatus: 'ACTIVE',
    });
    expect(await postsTo(gateway, '/v1/orders/resend', id)).toBe(1);
  });

  test('refused, it says so', async () => {
    const id = await orderWithSms();
    await refuse(gateway, '/v1/orders/resend', 429, 'RATE_LIMIT_EXCEEDED');
    expect((await resend(id)).data.resendSms).toEqual({
      __typename: 'ResendRejected',
      orderId: id,
      code: 'RATE_LIMIT_EXCEEDED',
      httpStatus: 429,
    });
  });
});

test("another's order is as one that is not there, and a supplier's key may not ask", async () => {
  const id = await orderWithSms();
  const other = (await gateway.makeKey('other')).key;
  const supplier = (await gateway.makeKey('seller', ['SUPPLIER'])).key;
  for (const act of [finish, resend]) {
    const refusals = [await act(id, other), await act('999', other), await act('x', other)];
    expect(refusals.map((body) => codeOf({ body }))).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    expect(codeOf({ body: await act(id, supplier) })).toBe('FORBIDDEN');
  }
  expect(await postsTo(gateway, '/v1/orders/finish', id)).toBe(0);
  expect(await postsTo(gateway, '/v1/orders/resend', id)).toBe(0);
});
