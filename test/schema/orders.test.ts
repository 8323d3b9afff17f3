import { describe, expect, it } from 'vitest';
import { noRupiah, rupiah } from '../../src/domain/money.ts';
import type { SmsRevision } from '../../src/domain/sms/accept.ts';
import {
  alice,
  anAttempt,
  anOrder,
  aProduct,
  aSnapshot,
  attemptId,
  bob,
  job,
  moment,
  orderId,
  productId,
  start,
} from '../support/values.ts';
import { dig, idsAt } from './support/dig.ts';
import { createWorld, type Variables } from './support/world.ts';

const message = (id: number, revision: number, sequence: number): SmsRevision => ({
  orderId: orderId(id),
  revision,
  message: `Your code is ${1000 + sequence}`,
  otpCode: null,
  source: 'POLL',
  receivedAt: start,
  sequence,
});

/** Alice's 7, 8 and 9; Bob's 20; 30 was made elsewhere. */
function books() {
  const world = createWorld({
    numbers: {
      order: (id) =>
        Promise.resolve({ kind: 'read', value: aSnapshot({ id, status: 'EXPIRED' }), readAt: start }),
    },
  });
  world.rows.orders = [
    anOrder({ id: orderId(7), createdAt: moment(1) }),
    anOrder({ id: orderId(8), createdAt: moment(2), status: 'CANCELED', phoneNumber: '+62 8' }),
    anOrder({ id: orderId(9), createdAt: moment(2), reactivatedFromId: orderId(7) }),
    anOrder({ id: orderId(20), owner: bob, attemptId: attemptId('attempt-2'), createdAt: moment(3) }),
    anOrder({ id: orderId(30), owner: null, attemptId: null, createdAt: moment(4) }),
  ];
  world.rows.attempts = [
    anAttempt(),
    anAttempt({ id: attemptId('attempt-2'), caller: bob, businessJobId: job('job-2') }),
  ];
  world.rows.messages = [message(7, 2, 2), message(7, 1, 1), message(20, 0, 3)];
  return world;
}

const list = `query ($filter: OrderFilter, $first: Int, $after: String) {
  orders(filter: $filter, first: $first, after: $after) {
    nodes { id } totalCount pageInfo { hasNextPage endCursor }
  }
}`;

describe('order', () => {
  it('is told in full', async () => {
    const { data, errors } = await books().ask(`{
      order(id: 7) {
        id status phoneNumber amount productId catalogProductId operatorId smsRevision canCancel cancelAvailableAt
        expiresAt createdAt asOf attempt { businessJobId } reactivatedFrom { id }
        smsRevisions { revision message suggestedCode source order { id } }
      }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      order: {
        id: '7',
        status: 'ACTIVE',
        phoneNumber: '+62811000007',
        amount: 5_000,
        productId: 70,
        catalogProductId: 88,
        operatorId: null,
        smsRevision: -1,
        canCancel: false,
        cancelAvailableAt: null,
        expiresAt: '2026-09-02T07:00:00.000Z',
        createdAt: '2026-09-02T06:40:00.001Z',
        asOf: '2026-09-02T06:40:00.000Z',
        attempt: { businessJobId: 'job-1' },
        reactivatedFrom: null,
        smsRevisions: [
          {
            revision: 1,
            message: 'Your code is 1001',
            suggestedCode: '1001',
            source: 'POLL',
            order: { id: '7' },
          },
          {
            revision: 2,
            message: 'Your code is 1002',
            suggestedCode: '1002',
            source: 'POLL',
            order: { id: '7' },
          },
        ],
      },
    });
  });

  it.each(['20', '30', '12345', '007', '7.0', ' 7', '1e1', '99999999999', 'x', ''])(
    'is null for %j: another caller’s, none, or no id at all',
    async (id) => {
      const world = books();
      expect(
        (await world.ask('query ($id: ID!) { order(id: $id, refresh: true) { id } }', { id })).data,
      ).toEqual({
        order: null,
      });
    },
  );

  it("is anyone's, and one made elsewhere, to an operator", async () => {
    const document =
      '{ bobs: order(id: 20) { attempt { caller } } elsewhere: order(id: 30) { attempt { caller } } }';
    expect((await books().ask(document, {}, { scopes: ['OPERATOR'] })).data).toEqual({
      bobs: { attempt: { caller: 'bob' } },
      elsewhere: { attempt: null },
    });
  });

  it('is read upstream first with refresh', async () => {
    const world = books();
    expect((await world.ask('{ order(id: 7) { status } }')).data).toEqual({ order: { status: 'ACTIVE' } });
    const { data } = await world.ask('{ order(id: 7, refresh: true) { status } }');
    expect(data).toEqual({ order: { status: 'EXPIRED' } });
  });

  it('names its product as last seen where it is not listed', async () => {
    const world = books();
    world.rows.seen = [aProduct({ id: productId(70), name: 'Telegram - Indonesia' })];
    const document = '{ orders { nodes { product { name country { name } } } } }';
    const { data } = await world.ask(document);
    expect(dig(data, 'orders', 'nodes', 0)).toEqual({
      product: { name: 'Telegram - Indonesia', country: null },
    });
    expect(world.calls.filter((call) => call === 'seenProducts.byIds')).toHaveLength(1);
  });

  it('is never shown before a read completed it', async () => {
    const world = books();
    world.rows.orders = [anOrder({ amount: null })];
    expect((await world.ask('{ order(id: 7) { id amount } }')).errors).toEqual(['masked']);
  });
});

describe('orders', () => {
  it.each<[string, Variables, string[]]>([
    ['all of the caller’s, newest first', {}, ['9', '8', '7']],
    ['those in a status', { filter: { statuses: ['CANCELED'] } }, ['8']],
    ['none for an empty list', { filter: { statuses: [] } }, []],
    ['all for null', { filter: { statuses: null, phoneNumber: null, createdFrom: null } }, ['9', '8', '7']],
    ['those of a number', { filter: { phoneNumber: '+62 8' } }, ['8']],
    ['those since an instant', { filter: { createdFrom: '2026-09-02T13:40:00.002+07:00' } }, ['9', '8']],
    ['those before an instant', { filter: { createdTo: '2026-09-02T06:40:00.002Z' } }, ['7']],
  ])('are %s', async (_title, variables, expected) => {
    const { data, errors } = await books().ask(list, variables);
    expect(errors).toEqual([]);
    expect(idsAt(data, 'orders')).toEqual(expected);
  });

  it("are everyone's to an operator", async () => {
    const { data } = await books().ask(list, {}, { scopes: ['OPERATOR'] });
    expect(idsAt(data, 'orders')).toEqual(['30', '20', '9', '8', '7']);
  });

  it('are read on by a cursor, which is good for this caller and filter alone', async () => {
    const world = books();
    const { data } = await world.ask(list, { first: 2 });
    expect(data).toMatchObject({ orders: { totalCount: 3, pageInfo: { hasNextPage: true } } });
    const cursor = dig(data, 'orders', 'pageInfo', 'endCursor');
    expect(idsAt((await world.ask(list, { after: cursor })).data, 'orders')).toEqual(['7']);

    const refused = [
      world.ask(list, { after: cursor }, { caller: bob }),
      world.ask(list, { after: cursor }, { scopes: ['OPERATOR'] }),
      world.ask(list, { after: cursor, filter: { statuses: ['ACTIVE'] } }),
      world.ask('query ($after: String) { createAttempts(after: $after) { totalCount } }', { after: cursor }),
      world.ask('query ($after: String) { catalogProducts(after: $after) { totalCount } }', {
        after: cursor,
      }),
    ];
    for (const answer of refused) expect((await answer).errors).toEqual(['BAD_USER_INPUT after']);
  });

  it('cost one read for each kind of thing beside them, however many they are', async () => {
    const world = books();
    const document =
      '{ orders { nodes { attempt { caller } reactivatedFrom { id } smsRevisions { revision order { id } } } } }';
    expect((await world.ask(document)).errors).toEqual([]);
    expect(world.calls.toSorted()).toEqual([
      'attempts.byIds',
      'orders.byIds',
      'orders.byIds',
      'orders.messagesOf',
      'orders.page',
    ]);
  });
});

describe('cancelOrder', () => {
  const document = `mutation ($id: ID!) {
    cancelOrder(orderId: $id) {
      __typename orderId
      ... on CancelReceipt { refundAmount newBalance order { id } }
      ... on CancelRejected { httpStatus code }
      ... on CancelAmbiguous { latestStatus }
      ... on CancelSkipped { order { id } }
    }
  }`;

  it.each(['20', '30', '12345', 'x'])('is NOT_FOUND for %s, and asks nothing upstream', async (id) => {
    expect((await books().ask(document, { id })).errors).toEqual(['NOT_FOUND']);
  });

  it('is skipped where the order does not allow it', async () => {
    const world = createWorld({
      numbers: {
        order: (id) =>
          Promise.resolve({
            kind: 'read',
            value: aSnapshot({ id, capabilities: { canCancel: false } }),
            readAt: start,
          }),
      },
    });
    world.rows.orders = [anOrder()];
    expect((await world.ask(document, { id: '7' })).data).toEqual({
      cancelOrder: { __typename: 'CancelSkipped', orderId: '7', order: { id: '7' } },
    });
  });

  it.each([
    [
      'a receipt',
      { kind: 'receipt', receipt: { refundAmount: rupiah(5_000), newBalance: noRupiah } },
      { __typename: 'CancelReceipt', orderId: '7', refundAmount: 5_000, newBalance: 0, order: { id: '7' } },
    ],
    [
      'a rejection',
      { kind: 'rejected', httpStatus: 409, code: 'CANCEL_TOO_EARLY' },
      { __typename: 'CancelRejected', orderId: '7', httpStatus: 409, code: 'CANCEL_TOO_EARLY' },
    ],
    [
      'no clear end',
      { kind: 'unclear' },
      { __typename: 'CancelAmbiguous', orderId: '7', latestStatus: 'ACTIVE' },
    ],
  ] as const)('tells of %s', async (_title, reply, expected) => {
    const world = createWorld({
      numbers: {
        order: (id) =>
          Promise.resolve({
            kind: 'read',
            value: aSnapshot({ id, capabilities: { canCancel: true } }),
            readAt: start,
          }),
        cancel: () => Promise.resolve(reply),
      },
    });
    world.rows.orders = [anOrder()];
    expect((await world.ask(document, { id: '7' }, { caller: alice })).data).toEqual({
      cancelOrder: expected,
    });
  });
});
