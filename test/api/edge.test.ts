import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, readAnswer, startGateway, type TestGateway, until } from './support/gateway.ts';

const WHO = '{ viewer { caller } }';
const PAGE = 'https://app.example.com';

let gateway: TestGateway;
let buyer: string;
beforeAll(async () => {
  gateway = await startGateway({ CORS_ORIGINS: PAGE }, { bodyMilliseconds: 400 });
  buyer = (await gateway.makeKey('shop')).key;
});
afterAll(() => gateway.close());

const send = (init: RequestInit & { key?: string; path?: string } = {}): ReturnType<typeof readAnswer> =>
  fetch(`${gateway.url}${init.path ?? '/graphql'}`, {
    method: 'POST',
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${init.key ?? buyer}`, ...init.headers },
  }).then(readAnswer);

/** Writes bytes as they are and reads until the server hangs up. */
function speak(...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(gateway.app.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    for (const part of parts) socket.write(part);
  });
}

const head = (...lines: string[]): string =>
  ['POST /graphql HTTP/1.1', 'host: gateway', `authorization: Bearer ${buyer}`, ...lines, '', ''].join(
    '\r\n',
  );

describe('what a foreign page could send (CSRF)', () => {
  test.each([
    ['a form', 'application/x-www-form-urlencoded', `query=${encodeURIComponent(WHO)}`],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n${WHO}\r\n--x--`,
    ],
    ['plain text', 'text/plain', JSON.stringify({ query: WHO })],
    ['JSON in another charset', 'application/json; charset=latin1', JSON.stringify({ query: WHO })],
  ])('%s is refused', async (_what, type, body) => {
    const answer = await send({ headers: { 'content-type': type }, body });
    expect(answer.status).toBe(415);
    expect(answer.body.data).toBeUndefined();
  });

  test('a body without a type is refused', async () => {
    const answer = await send({ body: new TextEncoder().encode(JSON.stringify({ query: WHO })) });
    expect(answer.status).toBe(415);
  });

  test('mutations by GET are refused, queries are not', async () => {
    const get = (query: string): ReturnType<typeof send> =>
      send({ method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}` });
    const refused = await get('mutation { cancelOrder(orderId: "1") { __typename } }');
    expect([refused.status, codeOf(refused)]).toEqual([405, 'BAD_USER_INPUT']);
    expect((await get(WHO)).body.data.viewer.caller).toBe('shop');
  });

  test('application/graphql is a query by itself', async () => {
    const answer = await send({ headers: { 'content-type': 'application/graphql' }, body: WHO });
    expect(answer.body.data.viewer.caller).toBe('shop');
  });
});

describe('CORS', () => {
  test('a listed origin may ask and read', async () => {
    const preflight = await send({
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const answer = await gateway.ask(WHO, {}, buyer, { origin: PAGE });
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test.each(['https://evil.example', 'null', `${PAGE}.evil.example`, 'http://app.example.com'])(
    'the origin %s is never allowed',
    async (origin) => {
      for (const method of ['OPTIONS', 'POST']) {
        const answer = await send({ method, headers: { origin, 'content-type': 'application/json' } });
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };
  const padded = (size: number): string =>
    JSON.stringify({ query: WHO, variables: { pad: 'x'.repeat(size) } });

  test('256 KiB for most keys, 16 MiB for those that deliver files of lines', async () => {
    expect((await send({ headers: json, body: padded(250_000) })).status).toBe(200);
    expect((await send({ headers: json, body: padded(300_000) })).status).toBe(413);
    expect((await send({ headers: json, body: padded(3_000_000), key: gateway.key })).status).toBe(200);
    expect((await send({ headers: json, body: padded(17_000_000), key: gateway.key })).status).toBe(413);
  });

  test('a chunked body is counted as it comes', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const text = await speak(
      head('content-type: application/json', 'transfer-encoding: chunked'),
      chunk.repeat(40),
    );
    expect(text).toMatch(/^HTTP\/1.1 413 /);
  });

  test('a Content-Length that promises too much is refused at once, one that promises more than comes after a while', async () => {
    expect(await speak(head('content-type: application/json', 'content-length: 99999999'))).toMatch(
      /^HTTP\/1.1 413 /,
    );
    const slow = await speak(
      head('content-type: application/json', 'content-length: 100', 'connection: close'),
      '{"query"',
    );
    expect(slow).toMatch(/^HTTP\/1.1 408 /);
  });

  test('who asks whether to send a body hears of its key first', async () => {
    const asked = (authorization: string): string =>
      [
        'POST /graphql HTTP/1.1',
        'host: gateway',
        `authorization: Bearer ${authorization}`,
        'content-type: application/json',
        'content-length: 33',
        'expect: 100-continue',
        'connection: close',
        '',
        '',
      ].join('\r\n');
    expect(await speak(asked('nobody'))).toMatch(/^HTTP\/1.1 401 /);
    expect(await speak(asked(buyer), JSON.stringify({ query: WHO }).padEnd(33))).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /,
    );
  });

  test.each([
    ['no JSON', '{"query"'],
    ['no object', '"query"'],
    ['null', 'null'],
    ['a batch', JSON.stringify([{ query: WHO }, { query: WHO }])],
    ['no query', '{}'],
    ['a query that is no text', '{"query": 1}'],
    ['variables that are a list', JSON.stringify({ query: WHO, variables: [1] })],
    ['a name that is a number', JSON.stringify({ query: WHO, operationName: 5 })],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('400 for %s', async (_what, body) => {
    const answer = await send({ headers: json, body });
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  });

  test('of several operations, none named or one that is not there: bad input', async () => {
    const query = 'query A { viewer { caller } } query B { viewer { caller } }';
    for (const operationName of [null, 'C']) {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const body = JSON.stringify({ query, operationName });
        const answer = await send({ headers: { ...json, accept }, body });
        expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_USER_INPUT']);
      }
    }
  });

  test('in parts, where nothing else is accepted', async () => {
    const headers = { ...json, accept: 'multipart/mixed' };
    const answer = await send({ headers, body: JSON.stringify({ query: WHO }) });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('{"data":{"viewer":{"caller":"shop"}}}');
  });

  test.each([
    ['a subscription as JSON', 'application/json', 'subscription { balanceChanged { amount } }'],
    ['a query as a picture', 'image/png', WHO],
  ])('406 with a code: %s', async (_what, accept, query) => {
    const answer = await send({ headers: { ...json, accept }, body: JSON.stringify({ query }) });
    expect(answer.status).toBe(406);
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  });

  test('keys that touch prototypes change nothing', async () => {
    const body = `{"query": "${WHO}", "variables": {"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}}`;
    expect((await send({ headers: json, body })).status).toBe(200);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

describe('requests that are no HTTP, or too much of it', () => {
  test('headers over the limit are 431, nonsense is 400, both hang up', async () => {
    expect(await speak(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /,
    );
    expect(await speak('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  test('both a length and chunks are refused', async () => {
    const text = await speak(head('content-length: 5', 'transfer-encoding: chunked'), '0\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('request ids and headers', () => {
  test('a fitting X-Request-Id is kept, another is replaced, and each is in the log', async () => {
    const kept = await gateway.ask(WHO, {}, buyer, { 'x-request-id': 'shop-42' });
    expect(kept.headers.get('x-request-id')).toBe('shop-42');
    await until('the log tells of it', () =>
      gateway.log.some((line) => line.includes('"requestId":"shop-42"')),
    );
    for (const bad of ['with blank', 'x'.repeat(200), '<script>']) {
      const replaced = await gateway.ask(WHO, {}, buyer, { 'x-request-id': bad });
      expect(replaced.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{32}$/);
    }
  });

  test('every answer forbids sniffing, framing and caching, and tells no page of another site where we are', async () => {
    for (const path of ['/healthz', '/nothing', '/graphql']) {
      const { headers } = await send({ method: 'GET', path });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).not.toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('an unknown path is told what there is', async () => {
    const answer = await send({ method: 'GET', path: '/api' });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).paths).toContain('/graphql');
  });

  test('a wrong method is told the right one', async () => {
    const answer = await send({ method: 'GET', path: '/webhooks/smscode' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

test('streams asked for one behind the other on a connection all end with it', async () => {
  const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text();
  const body = JSON.stringify({ query: 'subscription { smsReceived { revision } }' });
  const one = head(
    'accept: text/event-stream',
    'content-type: application/json',
    `content-length: ${body.length}`,
  );
  const socket = connectSocket(gateway.app.port, '127.0.0.1');
  socket.write(`${one}${body}`.repeat(3));
  await until('all are open', async () => /open_streams\{kind="smsReceived"\} 3/.test(await metrics()));
  socket.destroy();
  await until('none is open', async () => /open_streams\{kind="smsReceived"\} 0/.test(await metrics()));
});
