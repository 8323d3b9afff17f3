import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { must } from '../support/values.ts';
import { startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect, rawSocket } from './support/sockets.ts';

const WATCH = 'subscription { smsReceived { revision } }';
const PAGE = 'https://app.example.com';

let gateway: TestGateway;
let buyer: string;
beforeAll(async () => {
  gateway = await startGateway({
    CORS_ORIGINS: PAGE,
    MAX_STREAMS_PER_SOCKET: '3',
    MAX_STREAMS_PER_KEY: '5',
  });
  buyer = (await gateway.makeKey('shop')).key;
});
afterAll(() => gateway.close());

async function acknowledged(key = buyer): Promise<ReturnType<typeof rawSocket>> {
  const raw = rawSocket(gateway.websocket);
  await raw.opened;
  raw.send({ type: 'connection_init', payload: { authorization: key } });
  await until('the acknowledgement', () => raw.messages.some((text) => text.includes('connection_ack')));
  return raw;
}

describe('who may open one', () => {
  test.each([
    ['a program without an origin', undefined],
    ['a page of a listed origin', PAGE],
  ])('%s may', async (_what, origin) => {
    const raw = rawSocket(gateway.websocket, origin === undefined ? {} : { origin });
    await raw.opened;
    raw.socket.close();
  });

  test('a page of our own host may', async () => {
    const raw = rawSocket(gateway.websocket, { origin: gateway.url });
    await raw.opened;
    raw.socket.close();
  });

  test.each(['https://evil.example', 'null'])('a page of %s may not', async (origin) => {
    await expect(rawSocket(gateway.websocket, { origin }).opened).rejects.toThrow('403');
  });

  test('other paths and other upgrades are refused', async () => {
    await expect(rawSocket(gateway.websocket.replace('/graphql', '/other')).opened).rejects.toThrow('404');
    const text = await new Promise<string>((resolve) => {
      const socket = connectSocket(gateway.app.port, '127.0.0.1');
      socket.write('GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
      socket.on('data', (data) => resolve(String(data)));
    });
    expect(text).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('what closes one', () => {
  test('another subprotocol: 4406', async () => {
    const raw = rawSocket(gateway.websocket, { protocol: null });
    expect((await raw.closed).code).toBe(4406);
  });

  test('nothing said for three seconds: 4408', async () => {
    expect((await rawSocket(gateway.websocket).closed).code).toBe(4408);
  });

  test.each([
    [
      'an operation before the acknowledgement',
      4401,
      { type: 'subscribe', id: '1', payload: { query: WATCH } },
    ],
    ['a message of no known type', 4400, { type: 'hello' }],
    ['a message of the server', 4400, { type: 'next', id: '1', payload: {} }],
    ['no object', 4400, 'hello'],
  ])('%s: %d', async (_what, code, message) => {
    const raw = rawSocket(gateway.websocket);
    await raw.opened;
    raw.send(message);
    expect((await raw.closed).code).toBe(code);
  });

  test('a second connection_init: 4429', async () => {
    const raw = await acknowledged();
    raw.send({ type: 'connection_init' });
    expect((await raw.closed).code).toBe(4429);
  });

  test('the same operation id twice: 4409', async () => {
    const raw = await acknowledged();
    for (let time = 0; time < 2; time++) raw.send({ type: 'subscribe', id: '1', payload: { query: WATCH } });
    expect((await raw.closed).code).toBe(4409);
  });

  test('a binary message: 4400', async () => {
    const raw = await acknowledged();
    raw.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
    expect((await raw.closed).code).toBe(4400);
  });

  test('a message over a mebibyte: 1009', async () => {
    const raw = await acknowledged();
    raw.socket.send('x'.repeat(1024 * 1024 + 1));
    expect((await raw.closed).code).toBe(1009);
  });
});

describe('what goes wrong in one operation is its own error', () => {
  test.each([
    ['a syntax error', '{ viewer {', 'BAD_USER_INPUT'],
    ['an unknown field', '{ nothing }', 'BAD_USER_INPUT'],
    ['a query too deep', `{ a${'{ a'.repeat(40)}${'}'.repeat(40)} }`, 'QUERY_TOO_COMPLEX'],
    ['a query too long', `{ ${'viewer { caller } '.repeat(900)} }`, 'QUERY_TOO_COMPLEX'],
    [
      'two mutations that charge',
      'mutation { a: reactivateOrder(input: {businessJobId: "a", orderId: "1", maxCost: 1}) { __typename } b: reactivateOrder(input: {businessJobId: "b", orderId: "2", maxCost: 1}) { __typename } }',
      'QUERY_TOO_COMPLEX',
    ],
    [
      'no operation of that name',
      'query A { viewer { caller } } query B { viewer { caller } }',
      'BAD_USER_INPUT',
    ],
  ])('%s', async (_what, query, code) => {
    const client = connect(gateway.websocket, buyer);
    const open = collect(client, WATCH);
    const bad = collect(client, query);
    expect(await bad.ended).toMatchObject([{ extensions: { code } }]);
    const fine = collect(client, '{ viewer { caller } }');
    expect(await fine.ended).toBe('complete');
    expect(fine.items[0]?.data.viewer.caller).toBe('shop');
    open.stop();
    await client.dispose();
  });

  test('nothing of HTTP is told', async () => {
    const client = connect(gateway.websocket, buyer);
    const ended = await collect(client, '{ nothing }').ended;
    expect(JSON.stringify(ended)).toContain('"extensions":{"code":"BAD_USER_INPUT"}');
    await client.dispose();
  });

  test('an error of a resolver keeps its code, and its field', async () => {
    const client = connect(gateway.websocket, buyer);
    const asked = collect(client, 'subscription { smsReceived(orderId: "1") { revision } }');
    await asked.ended;
    expect(asked.items[0]?.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    const input = collect(client, '{ catalogProducts(first: 100000) { totalCount } }');
    await input.ended;
    expect(input.items[0]?.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'first' });
    await client.dispose();
  });
});

describe('limits', () => {
  test('of streams, per socket and per key, refuse one operation and leave the rest', async () => {
    const client = connect(gateway.websocket, buyer);
    const open = [1, 2, 3].map(() => collect(client, WATCH));
    const fourth = collect(client, WATCH);
    await fourth.ended;
    expect(fourth.items[0]?.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: expect.any(Number),
    });

    const other = connect(gateway.websocket, buyer);
    const more = [1, 2].map(() => collect(other, WATCH));
    const sixth = collect(other, WATCH);
    await sixth.ended;
    expect(sixth.items[0]?.errors?.[0]?.extensions?.['code']).toBe('RATE_LIMITED');
    const overSse = await gateway.ask(WATCH, {}, buyer, { accept: 'text/event-stream' });
    expect(overSse.text).toContain('RATE_LIMITED');

    // A place that is given back can be taken again.
    open[0]?.stop();
    await until('a place is free', async () => {
      const again = collect(client, WATCH);
      const ended = await Promise.race([
        again.ended,
        new Promise((resolve) => setTimeout(resolve, 200, 'open')),
      ]);
      return ended === 'open';
    });
    for (const { stop } of [...open, ...more]) stop();
    await Promise.all([client.dispose(), other.dispose()]);
  });

  test('of requests: operations count like HTTP requests, and say when to come back', async () => {
    // So few a second that the slowest machine asks more often.
    const strict = await startGateway({ RATE_LIMIT_PER_SECOND: '2' });
    onTestFinished(() => strict.close());
    const { key } = await strict.makeKey('eager');
    const client = connect(strict.websocket, key);
    const ends = await Promise.all(
      Array.from({ length: 50 }, () => collect(client, '{ viewer { caller } }').ended),
    );
    const refused = ends.filter((end) => end !== 'complete');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(46);
    expect(refused[0]).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => strict.ask('{ viewer { caller } }', {}, key)),
    );
    const answer = must(answers.find(({ status }) => status === 429));
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: expect.any(Number),
    });
    await client.dispose();
    // Another key is not held up by it.
    expect((await strict.ask('{ viewer { caller } }')).status).toBe(200);
  });
});
