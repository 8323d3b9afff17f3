import {
  GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect, openEvents, rawSocket } from './support/sockets.ts';

const CANARY = 'canary-secret-value';

const fail = (): never => {
  // An upstream's error with its own code: a code alone does not make it the caller's to see.
  throw Object.assign(new Error(`cannot connect with ${CANARY}`), { extensions: { code: 'NOT_FOUND' } });
};

let endedSources = 0;
/** The mutation that is under way, and how it ends. */
const slow = { begun: 0, finished: 0, finish: () => {} };

/** Waits for ever, and is ended at once. */
const endlessSource = (): AsyncIterableIterator<unknown> => ({
  next: () => new Promise(() => {}),
  return: () => {
    endedSources += 1;
    return Promise.resolve({ value: undefined, done: true });
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});

/** A graph of things that go wrong, behind the real edge. */
const faultySchema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      fine: { type: GraphQLString, resolve: () => 'fine' },
      boom: { type: GraphQLString, resolve: fail },
      scalar: { type: GraphQLInt, resolve: () => CANARY },
      needed: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
      odd: { type: GraphQLString, resolve: () => Promise.reject(CANARY) },
      coded: {
        type: GraphQLString,
        resolve: () => {
          throw new GraphQLError('There is none.', { extensions: { code: 'NOT_FOUND' } });
        },
      },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      slow: {
        type: GraphQLString,
        async resolve() {
          slow.begun += 1;
          await new Promise<void>((resolve) => {
            slow.finish = resolve;
          });
          slow.finished += 1;
          return 'done';
        },
      },
    },
  }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      throws: {
        type: GraphQLString,
        async *subscribe() {
          yield { throws: 'one' };
          throw new Error(CANARY);
        },
      },
      breaks: {
        type: GraphQLInt,
        async *subscribe() {
          yield { breaks: CANARY };
          yield { breaks: 2 };
        },
      },
      flood: {
        type: GraphQLString,
        async *subscribe() {
          for (let n = 0; n < 20_000; n++) yield { flood: `${n} ${'x'.repeat(4_000)}` };
        },
      },
      waits: { type: GraphQLString, subscribe: endlessSource },
      refuses: { type: GraphQLString, subscribe: fail },
    },
  }),
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { schema: faultySchema });
});
afterAll(() => gateway.close());

describe('a bug', () => {
  test.each([
    ['a thrown error, though it wears a code', '{ fine boom }'],
    ['a value of a wrong type', '{ fine scalar }'],
    ['null where there must be something', '{ fine needed }'],
    ['a thrown text', '{ fine odd }'],
  ])('%s is masked, with the id that finds it in the log', async (_what, query) => {
    const answer = await gateway.ask(query, {}, gateway.key, { 'x-request-id': 'find-me' });
    expect(answer.status).toBe(200);
    expect(answer.body.errors?.[0]?.extensions).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      requestId: 'find-me',
    });
    expect(answer.text).not.toContain(CANARY);
    expect(answer.text).not.toContain('stack');
    expect(gateway.log.some((line) => line.includes('"level":"error"') && line.includes('find-me'))).toBe(
      true,
    );
  });

  test('a coded error of a resolver is shown as it is', async () => {
    const { body } = await gateway.ask('{ coded }');
    expect(body.errors?.[0]).toMatchObject({
      message: 'There is none.',
      path: ['coded'],
      extensions: { code: 'NOT_FOUND' },
    });
  });

  test.each(['{ boom }', 'subscription { refuses }'])('%s is masked over WebSocket too', async (query) => {
    const client = connect(gateway.websocket, gateway.key);
    const asked = collect(client, query);
    await asked.ended;
    expect(asked.items[0]?.errors?.[0]?.extensions).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      requestId: expect.any(String),
    });
    expect(JSON.stringify(asked.items)).not.toContain(CANARY);
    await client.dispose();
  });

  test.each(['production', 'development', 'test'])('NODE_ENV=%s changes nothing about it', async (mode) => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = mode;
    const answer = await gateway.ask('{ boom }');
    process.env['NODE_ENV'] = before;
    expect(codeOf(answer)).toBe('INTERNAL_SERVER_ERROR');
    expect(answer.text).not.toMatch(/canary|stack|originalError/);
  });
});

describe('a stream', () => {
  test('whose source throws ends with a masked error, and others go on', async () => {
    const events = await openEvents(gateway.graphql, gateway.key, 'subscription { throws }');
    expect(await events.ended).toBe('complete');
    expect(events.items[0]?.data).toEqual({ throws: 'one' });
    expect(codeOf({ body: events.items[1] ?? {} })).toBe('INTERNAL_SERVER_ERROR');

    const client = connect(gateway.websocket, gateway.key);
    const waits = collect(client, 'subscription { waits }');
    const throws = collect(client, 'subscription { throws }');
    expect(await throws.ended).toBe('complete');
    expect(codeOf({ body: throws.items[1] ?? {} })).toBe('INTERNAL_SERVER_ERROR');
    const fine = collect(client, '{ fine }');
    expect(await fine.ended).toBe('complete');
    waits.stop();
    await client.dispose();
  });

  test('with one bad event goes on with the next', async () => {
    const events = await openEvents(gateway.graphql, gateway.key, 'subscription { breaks }');
    expect(await events.ended).toBe('complete');
    expect(codeOf({ body: events.items[0] ?? {} })).toBe('INTERNAL_SERVER_ERROR');
    expect(events.items[1]?.data).toEqual({ breaks: 2 });
    expect(JSON.stringify(events.items)).not.toContain(CANARY);
  });

  test('is ended at its source when its client goes away, over both transports', async () => {
    const before = endedSources;
    const events = await openEvents(gateway.graphql, gateway.key, 'subscription { waits }');
    events.abort();
    const client = connect(gateway.websocket, gateway.key);
    const kept = collect(client, 'subscription { waits }');
    await collect(client, '{ fine }').ended;
    kept.stop();
    collect(client, 'subscription { waits }');
    await collect(client, '{ fine }').ended;
    client.terminate();
    await until('all three sources have ended', () => endedSources === before + 3, 2_000);
  });

  test('whose client does not read holds up nobody else', async () => {
    const raw = rawSocket(gateway.websocket);
    await raw.opened;
    raw.send({ type: 'connection_init', payload: { authorization: gateway.key } });
    await until('the acknowledgement', () => raw.messages.length > 0);
    raw.socket.pause();
    raw.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { flood }' } });
    const healthy = await openEvents(gateway.graphql, gateway.key, 'subscription { flood }');
    const before = process.memoryUsage().rss;
    await until('a healthy reader is through with a thousand', () => healthy.items.length > 1_000, 10_000);
    // What waits for the one that does not read is a batch, and no queue of eighty megabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    healthy.abort();
    raw.socket.terminate();
  });
});

test('a mutation whose client goes away runs to its end', async () => {
  const controller = new AbortController();
  const asked = fetch(gateway.graphql, {
    method: 'POST',
    signal: controller.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ query: 'mutation { slow }' }),
  });
  const gone = expect(asked).rejects.toThrow();
  await until('the mutation is under way', () => slow.begun === 1);
  controller.abort();
  await gone;
  expect(slow.finished).toBe(0);
  slow.finish();
  await until('the mutation is through', () => slow.finished === 1);
});
