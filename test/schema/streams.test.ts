import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { nothingAllowed } from '../../src/domain/orders/order.ts';
import type { SmsRevision } from '../../src/domain/sms/accept.ts';
import { later } from '../../src/domain/time.ts';
import type { NumbersApi } from '../../src/ports/numbers-api.ts';
import { alice, anAttempt, anOrder, attemptId, bob, job, orderId, start } from '../support/values.ts';
import { dig } from './support/dig.ts';
import { createWorld, type World } from './support/world.ts';

const message = (id: number, revision: number, sequence: number): SmsRevision => ({
  orderId: orderId(id),
  revision,
  message: `message ${sequence}`,
  otpCode: null,
  source: 'WEBHOOK',
  receivedAt: start,
  sequence,
});

function books(numbers: Partial<NumbersApi> = {}): World {
  const world = createWorld({ numbers });
  world.rows.orders = [
    anOrder({ id: orderId(7) }),
    anOrder({ id: orderId(8) }),
    anOrder({ id: orderId(20), owner: bob, attemptId: attemptId('attempt-2') }),
  ];
  world.rows.attempts = [anAttempt({ version: 1 })];
  world.rows.messages = [message(7, 0, 1), message(20, 0, 2), message(8, 3, 3), message(7, 2, 4)];
  return world;
}

type Stream = AsyncGenerator<ExecutionResult, void, void>;

async function opened(
  world: World,
  document: string,
  asker?: Parameters<World['follow']>[2],
): Promise<Stream> {
  const { stream, errors } = await world.follow(document, {}, asker);
  expect(errors).toEqual([]);
  if (stream === null) throw new Error('the test expected a stream');
  return stream;
}

/** What the next events say at the first field, down to the key. */
async function take(stream: Stream, count: number, ...path: string[]): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value, done } = await stream.next();
    if (done === true) return [...taken, 'end'];
    taken.push(dig(Object.values(value.data ?? {})[0], ...path));
  }
  return taken;
}

const oneOrder = 'subscription { smsReceived(orderId: 7) { revision cursor order { status } } }';

describe('smsReceived of one order', () => {
  it('sends what is stored, then what comes, and ends with the order', async () => {
    const world = books();
    const stream = await opened(world, oneOrder);
    expect(await take(stream, 2, 'revision')).toEqual([0, 2]);
    const next = take(stream, 1, 'revision');
    world.rows.messages.push(message(7, 5, 5));
    world.wake.announce([`order:${orderId(7)}`]);
    expect(await next).toEqual([5]);
    const last = take(stream, 1);
    world.rows.orders = [anOrder({ id: orderId(7), status: 'COMPLETED' })];
    world.wake.announce([`order:${orderId(7)}`]);
    expect(await last).toEqual(['end']);
  });

  it('resumes behind a revision', async () => {
    const stream = await opened(
      books(),
      'subscription { smsReceived(orderId: 7, afterRevision: 0) { revision } }',
    );
    expect(await take(stream, 1, 'revision')).toEqual([2]);
    await stream.return();
  });

  it('waits for a revision that lies ahead', async () => {
    const world = books();
    const stream = await opened(
      world,
      'subscription { smsReceived(orderId: 7, afterRevision: 9) { revision } }',
    );
    const next = take(stream, 1, 'revision');
    world.rows.messages.push(message(7, 5, 5), message(7, 10, 6));
    world.wake.announce([`order:${orderId(7)}`]);
    expect(await next).toEqual([10]);
    await stream.return();
  });

  it('shows each event the order as it then stands', async () => {
    const world = books();
    const stream = await opened(world, oneOrder);
    expect(await take(stream, 1, 'order', 'status')).toEqual(['ACTIVE']);
    world.rows.orders = [anOrder({ id: orderId(7), status: 'OTP_RECEIVED' })];
    expect(await take(stream, 1, 'order', 'status')).toEqual(['OTP_RECEIVED']);
    await stream.return();
  });

  it.each(['20', '12345', '007', 'x'])('is NOT_FOUND for %s', async (id) => {
    const { stream, errors } = await books().follow(
      `subscription { smsReceived(orderId: "${id}") { revision } }`,
    );
    expect(stream).toBeNull();
    expect(errors).toEqual(['NOT_FOUND']);
  });
});

describe('smsReceived of all orders', () => {
  const all = 'subscription { smsReceived { message cursor } }';

  it("sends the caller's own in the order of their acceptance", async () => {
    const world = books();
    const stream = await opened(world, all);
    expect(await take(stream, 3, 'message')).toEqual(['message 1', 'message 3', 'message 4']);
    const next = take(stream, 1, 'message');
    world.rows.messages.push(message(8, 4, 5));
    world.wake.announce([`sms-of:${alice}`]);
    expect(await next).toEqual(['message 5']);
    await stream.return();
  });

  it("sends everyone's to an operator", async () => {
    const stream = await opened(books(), all, { scopes: ['OPERATOR'] });
    expect(await take(stream, 4, 'message')).toEqual(['message 1', 'message 2', 'message 3', 'message 4']);
    await stream.return();
  });

  it('resumes by a cursor, which is good for its caller alone', async () => {
    const world = books();
    const stream = await opened(world, all);
    const [cursor] = await take(stream, 1, 'cursor');
    await stream.return();
    const resume = `subscription { smsReceived(after: "${String(cursor)}") { message } }`;
    const resumed = await opened(world, resume);
    expect(await take(resumed, 2, 'message')).toEqual(['message 3', 'message 4']);
    await resumed.return();
    expect((await world.follow(resume, {}, { caller: bob })).errors).toEqual(['BAD_USER_INPUT after']);
  });

  it('takes the cursor of a message wherever it was told', async () => {
    const world = books();
    const { data } = await world.ask('{ order(id: 8) { smsRevisions { cursor } } }');
    const cursor = dig(data, 'order', 'smsRevisions', 0, 'cursor');
    const stream = await opened(
      world,
      `subscription { smsReceived(after: "${String(cursor)}") { message } }`,
    );
    expect(await take(stream, 1, 'message')).toEqual(['message 4']);
    await stream.return();
  });
});

describe('orderChanged', () => {
  it('sends the order now, then as it was at each change, and ends with a terminal status', async () => {
    const world = books();
    const stream = await opened(world, 'subscription { orderChanged(orderId: 7) { status canCancel } }');
    expect(await take(stream, 1)).toEqual([{ status: 'ACTIVE', canCancel: false }]);
    const next = take(stream, 3);
    world.rows.changes = [
      { version: 2, status: 'ACTIVE', capabilities: { ...nothingAllowed, canCancel: true } },
      { version: 3, status: 'CANCELED', capabilities: nothingAllowed },
    ];
    world.wake.announce([`order:${orderId(7)}`]);
    expect(await next).toEqual([
      { status: 'ACTIVE', canCancel: true },
      { status: 'CANCELED', canCancel: false },
      'end',
    ]);
    expect(world.streams.get('orderChanged')).toBe(0);
  });

  it.each(['20', '12345', 'x'])('is NOT_FOUND for %s', async (id) => {
    const { errors } = await books().follow(`subscription { orderChanged(orderId: "${id}") { status } }`);
    expect(errors).toEqual(['NOT_FOUND']);
  });
});

describe('createAttemptChanged', () => {
  const document =
    'subscription { createAttemptChanged(businessJobId: "job-1") { state events { version } } }';

  it('sends the attempt now, then as it was at each event, and ends with a final state', async () => {
    const world = books();
    const stream = await opened(world, document);
    expect(await take(stream, 1, 'state')).toEqual(['SENDING']);
    const next = take(stream, 3);
    const event = {
      reason: null,
      httpStatus: null,
      errorCode: null,
      note: null,
      sends: 1,
      nextAttemptAt: null,
    };
    world.rows.events = [
      { ...event, version: 2, state: 'NEEDS_RECONCILIATION', at: later(start, 1) },
      { ...event, version: 3, state: 'RESOLVED', at: later(start, 2) },
    ];
    world.wake.announce([`attempt:${attemptId('attempt-1')}`]);
    expect(await next).toEqual([
      { state: 'NEEDS_RECONCILIATION', events: [{ version: 2 }] },
      { state: 'RESOLVED', events: [{ version: 2 }, { version: 3 }] },
      'end',
    ]);
  });

  it("is NOT_FOUND for another's job, and FORBIDDEN where it is asked for by name", async () => {
    const world = books();
    world.rows.attempts = [anAttempt({ caller: bob, businessJobId: job('job-1') })];
    expect((await world.follow(document)).errors).toEqual(['NOT_FOUND']);
    const named = document.replace('"job-1"', '"job-1", caller: "bob"');
    expect((await world.follow(named)).errors).toEqual(['FORBIDDEN']);
    const stream = await opened(world, named, { scopes: ['OPERATOR'] });
    expect(await take(stream, 1, 'state')).toEqual(['SENDING']);
    await stream.return();
  });
});

describe('balanceChanged', () => {
  const document = 'subscription { balanceChanged { amount low } }';
  const balance = (): ReturnType<NumbersApi['balance']> =>
    Promise.resolve({ kind: 'read', value: { currency: 'IDR', amount: rupiah(10) }, readAt: start });

  it('reads upstream once when nothing is stored, and sends each change', async () => {
    const world = books({ balance });
    const stream = await opened(world, document);
    expect(await take(stream, 1, 'amount')).toEqual([10]);
    expect(world.calls.filter((call) => call === 'balances.record')).toHaveLength(1);
    const next = take(stream, 1, 'amount');
    world.rows.balances.push({ currency: 'IDR', amount: rupiah(9), asOf: later(start, 1), sequence: 2 });
    world.wake.announce(['balance']);
    expect(await next).toEqual([9]);
    await stream.return();
  });

  it('reads nothing upstream when a balance is stored', async () => {
    const world = books();
    world.rows.balances = [{ currency: 'IDR', amount: rupiah(5), asOf: start, sequence: 1 }];
    const stream = await opened(world, document);
    expect(await take(stream, 1, 'amount')).toEqual([5]);
    await stream.return();
  });
});

describe('an open stream is counted exactly once', () => {
  const count = (world: World): number | undefined => world.streams.get('smsReceived');

  it('until its client returns it, though it does so twice and while an event is awaited', async () => {
    const world = books();
    const stream = await opened(world, oneOrder);
    expect(count(world)).toBe(1);
    expect(await take(stream, 2, 'revision')).toEqual([0, 2]);
    const waiting = take(stream, 1);
    await stream.return();
    await stream.return();
    expect(await waiting).toEqual(['end']);
    expect(count(world)).toBe(0);
  });

  it('until it completes', async () => {
    const world = books();
    world.rows.orders = [anOrder({ id: orderId(7), status: 'EXPIRED' })];
    const stream = await opened(world, oneOrder);
    expect(await take(stream, 3, 'revision')).toEqual([0, 2, 'end']);
    await stream.return();
    expect(count(world)).toBe(0);
  });

  it('until its source fails', async () => {
    const world = books();
    const stream = await opened(world, oneOrder);
    world.rows.orders = [];
    Object.defineProperty(world.rows, 'messages', {
      get: () => {
        throw new Error('the disk is gone');
      },
    });
    await expect(stream.next()).rejects.toThrow('the disk is gone');
    expect(count(world)).toBe(0);
  });

  it('not at all when it is refused', async () => {
    const world = books();
    await world.follow('subscription { smsReceived(orderId: 20) { revision } }');
    expect(count(world)).toBeUndefined();
  });

  it('until its client is gone', async () => {
    const world = books();
    const gone = new AbortController();
    const stream = await opened(world, oneOrder, { signal: gone.signal });
    expect(await take(stream, 2, 'revision')).toEqual([0, 2]);
    const waiting = take(stream, 1);
    gone.abort();
    expect(await waiting).toEqual(['end']);
    expect(count(world)).toBe(0);
  });

  it('and ends when its client went away before it was handed over', async () => {
    const world = books();
    const gone = new AbortController();
    const pending = world.follow(oneOrder, {}, { signal: gone.signal });
    gone.abort();
    const { stream } = await pending;
    if (stream === null) throw new Error('the test expected a stream');
    expect(await take(stream, 1)).toEqual(['end']);
    expect(count(world)).toBe(0);
  });
});
