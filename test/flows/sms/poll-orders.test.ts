import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { OrderSnapshot } from '../../../src/domain/orders/order.ts';
import { pollOrders } from '../../../src/flows/sms/poll-orders.ts';
import type { NumbersApi, ReadReply, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { smsPoller } from '../../../src/workers/sms-poller.ts';
import { haveOrders, made, ofAlice, ofAll, openScripted, type TestGateway } from '../../support/gateway.ts';
import type { ScriptedNumbers } from '../../support/scripted-numbers.ts';
import { evidence, moment, orderId } from '../../support/values.ts';
import { unavailable } from '../support/acting.ts';
import { deliver, smsEvent } from '../support/webhooks.ts';

type Gateway = TestGateway & { readonly upstream: ScriptedNumbers };

const list =
  (...orders: readonly OrderSnapshot[]): NumbersApi['activeOrders'] =>
  async () => ({
    kind: 'read',
    value: { orders, spoiled: 0 },
    readAt: moment(5_000),
  });

/** As the list tells an order: without number, amount and product. */
const listed = (id: number, change: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  id: orderId(id),
  status: 'ACTIVE',
  capabilities: {},
  evidence: null,
  ...change,
});

const read = async (id: OrderId): Promise<ReadReply<OrderSnapshot>> => ({
  kind: 'read',
  value: made({ id, status: 'OTP_RECEIVED', evidence: evidence(1) }),
  readAt: moment(5_000),
});

/** A gateway with so many open orders of alice's, from 1 on. */
async function open(
  count: number,
  script: Partial<NumbersApi> = {},
  change: Partial<OrderSnapshot> = {},
): Promise<Gateway> {
  const gateway = await openScripted({ order: read, ...script });
  await haveOrders(
    gateway.store,
    ...Array.from({ length: count }, (_, n) => made({ id: orderId(n + 1), ...change })),
  );
  return gateway;
}

async function accepted({ store }: Gateway): Promise<number[]> {
  const found = await store.orders.messagesAfter(ofAll, 0, 2_000);
  return found.map(({ orderId: id }) => Number(id)).sort((a, b) => a - b);
}

describe('a round of polling', () => {
  it('with nothing open asks nothing', async () => {
    const gateway = await open(1, {}, { status: 'COMPLETED' });
    expect(await pollOrders(gateway.deps)).toEqual({ pauseSeconds: null });
    expect(gateway.upstream.calls).toEqual([]);
  });

  it.each([1, 2])('with %d open reads each', async (count) => {
    const gateway = await open(count);
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['order 1', 'order 2'].slice(0, count));
    expect(await accepted(gateway)).toEqual([1, 2].slice(0, count));
    expect(gateway.counts.get('smsAccepted POLL')).toBe(count);
  });

  it('with three open reads the list of all, and that alone', async () => {
    const gateway = await open(3, {
      activeOrders: list(listed(1, { status: 'OTP_RECEIVED', evidence: evidence(4) }), listed(2), listed(3)),
    });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders']);
    expect(await gateway.store.orders.messages(ofAlice, orderId(1), -1, 9)).toMatchObject([
      { revision: 4, source: 'POLL' },
    ]);
  });

  it('with a thousand open makes one call', async () => {
    const gateway = await open(1_000);
    const all = Array.from({ length: 1_000 }, (_, n) =>
      listed(n + 1, { status: 'OTP_RECEIVED', evidence: evidence(1) }),
    );
    gateway.upstream.script({ activeOrders: list(...all) });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders']);
    expect(await accepted(gateway)).toHaveLength(1_000);
  });

  it.each([404, 403])('where the list is not to be had (%d) reads each', async (httpStatus) => {
    const gateway = await open(5, {
      activeOrders: async () => ({ kind: 'refused', httpStatus, code: 'NOT_FOUND' }),
    });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.count('order')).toBe(5);
    expect(await accepted(gateway)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each<[UpstreamFault, number | null]>([
    [{ kind: 'throttled', retryAfterSeconds: 9 }, 9],
    [{ kind: 'throttled', retryAfterSeconds: null }, null],
    [{ kind: 'unavailable', httpStatus: 503, retryAfterSeconds: 30 }, 30],
    [{ kind: 'unavailable', httpStatus: null, retryAfterSeconds: null }, null],
    [{ kind: 'malformed', httpStatus: 200 }, null],
    [{ kind: 'unauthorized', httpStatus: 401 }, null],
  ])('where the list fails (%j) waits for the next round', async (fault, pauseSeconds) => {
    const gateway = await open(3, { activeOrders: async () => fault });
    expect(await pollOrders(gateway.deps)).toEqual({ pauseSeconds });
    expect(gateway.upstream.calls).toEqual(['activeOrders']);
  });

  it('reads those that are missing from the list: they have ended', async () => {
    const gateway = await open(4, {
      activeOrders: list(listed(1), listed(3)),
      order: async (id) => ({ kind: 'read', value: made({ id, status: 'EXPIRED' }), readAt: moment(5_000) }),
    });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders', 'order 2', 'order 4']);
    expect((await gateway.store.orders.open()).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('takes no order for ended that was made after the list was asked for', async () => {
    const gateway = await open(3);
    gateway.upstream.script({
      async activeOrders() {
        await haveOrders(gateway.store, made({ id: orderId(9) }));
        return list(listed(1), listed(2), listed(3))();
      },
    });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders']);
  });

  it('reads those that have no number yet: the list tells none', async () => {
    const gateway = await open(3, { activeOrders: list(listed(1), listed(2), listed(3)) });
    await haveOrders(gateway.store, made({ id: orderId(4), phoneNumber: null }));
    gateway.upstream.script({ activeOrders: list(listed(1), listed(2), listed(3), listed(4)) });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders', 'order 4']);
    expect(await gateway.store.orders.find(ofAlice, orderId(4))).toMatchObject({
      phoneNumber: '+62811000007',
    });
  });

  it('reads orders made elsewhere on the account once, so that an operator sees them', async () => {
    const all = [listed(1), listed(2), listed(3), listed(50)];
    const gateway = await open(3, { activeOrders: list(...all) });
    await pollOrders(gateway.deps);
    expect(gateway.upstream.calls).toEqual(['activeOrders', 'order 50']);
    expect(await gateway.store.orders.find(ofAll, orderId(50))).toMatchObject({ owner: null, amount: 5_000 });
    expect(await gateway.store.orders.find(ofAlice, orderId(50))).toBeNull();
    await pollOrders(gateway.deps);
    expect(gateway.upstream.count('order')).toBe(1);
  });

  it('goes on where one read fails, and one that cannot be kept spoils no other', async () => {
    const gateway = await open(2, {
      order: async (id) => (id === 1 ? { kind: 'malformed', httpStatus: 200 } : read(id)),
    });
    await pollOrders(gateway.deps);
    expect(await accepted(gateway)).toEqual([2]);
    expect(gateway.counts.get('poll failed')).toBe(1);
  });

  it('stops reading where the provider asks to be left alone', async () => {
    const gateway = await open(40, {
      activeOrders: async () => ({ kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' }),
      order: async (id) => (id < 3 ? read(id) : { kind: 'throttled', retryAfterSeconds: 20 }),
    });
    expect(await pollOrders(gateway.deps)).toEqual({ pauseSeconds: 20 });
    expect(gateway.upstream.count('order')).toBeLessThan(10);
  });

  it('reads four at once at most', async () => {
    let underWay = 0;
    let most = 0;
    const gateway = await open(20, {
      activeOrders: async () => ({ kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' }),
      async order(id) {
        most = Math.max(most, ++underWay);
        await gateway.clock.sleep(10);
        underWay--;
        return read(id);
      },
    });
    await gateway.clock.until(pollOrders(gateway.deps));
    expect([most, gateway.upstream.count('order')]).toEqual([4, 20]);
  });
});

describe('webhooks that wait in the inbox', () => {
  it('go before what the poll has read: their older message is not passed over', async () => {
    const gateway = await open(1, {
      order: async (id) => ({
        kind: 'read',
        value: made({ id, status: 'OTP_RECEIVED', evidence: evidence(3) }),
        readAt: moment(5_000),
      }),
    });
    await deliver(gateway, smsEvent(1, 2));
    await deliver(gateway, smsEvent(1, 1));
    await pollOrders(gateway.deps);
    const found = await gateway.store.orders.messages(ofAlice, orderId(1), -1, 9);
    expect(found.map(({ revision, source }) => `${revision} ${source}`)).toEqual([
      '1 WEBHOOK',
      '2 WEBHOOK',
      '3 POLL',
    ]);
  });

  it('go before the list, too', async () => {
    const gateway = await open(3, {
      activeOrders: list(listed(1, { status: 'OTP_RECEIVED', evidence: evidence(3) }), listed(2), listed(3)),
    });
    await deliver(gateway, smsEvent(1, 2));
    await deliver(gateway, smsEvent(2, 1));
    await pollOrders(gateway.deps);
    const found = await gateway.store.orders.messages(ofAlice, orderId(1), -1, 9);
    expect(found.map(({ revision }) => revision)).toEqual([2, 3]);
  });

  it('and cannot be worked off now hold up their order alone, and no round for ever', async () => {
    const gateway = await open(2);
    await deliver(gateway, smsEvent(1, 1));
    await gateway.database.query(`update inbox set next_try_at = next_try_at + 60000`);
    await pollOrders(gateway.deps);
    expect(await accepted(gateway)).toEqual([2]);
    expect(gateway.lines.some(({ message }) => message.includes('inbox does not empty'))).toBe(true);
  });
});

describe('the poller', () => {
  async function polling(interval: number, script: Partial<NumbersApi>) {
    const times: number[] = [];
    const gateway = await open(1);
    const { order = read } = script;
    gateway.upstream.script({
      order(id) {
        times.push(gateway.clock.now() - moment(0));
        return order(id);
      },
    });
    const worker = runWorker(gateway.deps, smsPoller(gateway.deps, interval));
    return { ...gateway, times, worker };
  }

  it('polls at once, and then every interval', async () => {
    const gateway = await polling(10_000, {});
    await gateway.clock.pass(35_000);
    expect(gateway.times).toEqual([0, 10_000, 20_000, 30_000]);
    await gateway.worker.stop();
  });

  it('counts the interval from start to start, and leaves a second between rounds at least', async () => {
    const slow = await polling(10_000, {});
    slow.upstream.script({
      async order(id) {
        slow.times.push(slow.clock.now() - moment(0));
        await slow.clock.sleep(slow.times.length === 1 ? 4_000 : 15_000);
        return read(id);
      },
    });
    await slow.clock.pass(45_000);
    expect(slow.times).toEqual([0, 10_000, 26_000, 42_000]);
    await slow.clock.until(slow.worker.stop());
  });

  it('leaves the provider alone for as long as it asks, and a minute at most', async () => {
    const waits = [25, 3_600];
    const gateway = await polling(10_000, {
      order: async (id) => {
        const retryAfterSeconds = waits.shift();
        return retryAfterSeconds === undefined ? read(id) : { kind: 'throttled', retryAfterSeconds };
      },
    });
    await gateway.clock.pass(100_000);
    expect(gateway.times).toEqual([0, 25_000, 85_000, 95_000]);
    await gateway.worker.stop();
  });

  it('makes one round for all instances, pauses on all of them, and is not missed where one is gone', async () => {
    const waits = [undefined, 25];
    const gateway = await polling(10_000, {
      order: async (id) => {
        const retryAfterSeconds = waits.shift();
        return retryAfterSeconds === undefined ? read(id) : { kind: 'throttled', retryAfterSeconds };
      },
    });
    const other = runWorker(gateway.deps, smsPoller(gateway.deps, 10_000));
    await gateway.clock.pass(38_000);
    expect(gateway.times).toEqual([0, 10_000, 35_000]);
    await gateway.worker.stop();
    await gateway.clock.pass(20_000);
    expect(gateway.times).toEqual([0, 10_000, 35_000, 45_000, 55_000]);
    await other.stop();
  });

  it('goes on when the provider is away', async () => {
    const gateway = await polling(10_000, { order: async () => unavailable });
    await gateway.clock.pass(25_000);
    expect(gateway.times).toEqual([0, 10_000, 20_000]);
    await gateway.worker.stop();
  });
});
