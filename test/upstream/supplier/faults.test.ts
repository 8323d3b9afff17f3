import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { instant } from '../../../src/domain/time.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { type RawRequest, rawServer, whole } from '../support/raw-server.ts';
import { anyOrder, fastClock, memorySlots, openClient, supplierOrderId } from './support.ts';

const delivery = { endpoint: '/orders-update', body: '{"order":"a1","status":"partial","accounts":["é😀"]}' };

/** The client over a server that speaks bytes, in a time thirty times as fast: the whole call's 15 s are half a second. */
async function upstream(answer: (socket: Socket, request: RawRequest) => void) {
  const server = await rawServer(answer);
  onTestFinished(() => server.close());
  const clock = fastClock(30);
  const slots = memorySlots(clock);
  const { api } = openClient(server.url, { clock, slots, key: 'canary-key' });
  return { server, slots, api };
}

const json = '{"orders": [], "success": true}';

const faults: [string, (socket: Socket) => void][] = [
  ['B2: one byte a second', drip],
  ['B2: no answer at all', () => {}],
  [
    'B3: half a body with its length',
    (socket) => socket.end(head(200, `Content-Length: ${json.length}`) + json.slice(0, 9)),
  ],
  [
    'B3: half a chunked body',
    (socket) => socket.end(`${head(200, 'Transfer-Encoding: chunked')}1f\r\n${json.slice(0, 9)}`),
  ],
  [
    'B4: half a body on a connection that closes',
    (socket) => socket.end(head(200, 'Connection: close') + json.slice(0, 9)),
  ],
  [
    'B4: none of the body on a connection that closes',
    (socket) => socket.end(head(200, 'Connection: close')),
  ],
  ['B5: an endless body', endless],
  [
    'B5: a gzip bomb',
    (socket) => socket.write(whole(200, gzipSync(Buffer.alloc(2 ** 25, 32)), 'Content-Encoding: gzip')),
  ],
  [
    'B6: invalid UTF-8',
    (socket) => socket.write(whole(200, Buffer.from('{"orders":[],"a":"\xff"}', 'latin1'))),
  ],
  ['B6: a byte order mark', (socket) => socket.write(whole(200, `\ufeff${json}`))],
  ['B6: HTML under 200', (socket) => socket.write(whole(200, '<html><body>Welcome</body></html>'))],
  ['B7: equal keys', (socket) => socket.write(whole(200, '{"orders":[],"success":true,"orders":[]}'))],
  [
    'B7: equal keys in an order',
    (socket) => socket.write(whole(200, '{"orders":[{"id":"a1","quantity":1,"quantity":2}]}')),
  ],
  ['B10: a reset', (socket) => socket.resetAndDestroy()],
  ['B11: a redirect', (socket) => socket.write(whole(307, json, 'Location: http://127.0.0.1:9/'))],
  ['not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
];

describe.each(faults)('%s', (_, answer) => {
  it('leaves each call unclear, sent once, its place given back', async () => {
    const { api, server, slots } = await upstream(answer);
    const startedAt = systemClock.now();
    // One after the other: a call must not see what the one before it left behind.
    expect(await api.sendDelivery(delivery)).toEqual({ kind: 'unclear', why: expect.any(String) });
    const pulled = await api.pull(5);
    const read = await api.orders(anyOrder, { limit: 5, offset: 0 });
    expect(['unavailable', 'malformed']).toContain(pulled.kind);
    expect(read.kind).toBe(pulled.kind);
    expect(server.requests).toHaveLength(3);
    expect(slots.held()).toBe(0);
    expect(systemClock.now() - startedAt).toBeLessThan(6_000);
  });
});

describe('a request', () => {
  it('carries one header with the key, and the stored bytes', async () => {
    const { api, server } = await upstream((socket) => socket.write(whole(200, json)));
    await api.sendDelivery(delivery);
    await api.setLastProcessTime(supplierOrderId('a1'), instant(0));
    const [sent, patched] = server.requests;
    expect(sent?.head).toMatch(/^POST \/orders-update HTTP/);
    expect(sent?.head.match(/^authorization: bearer canary-key$/gim)).toHaveLength(1);
    expect(sent?.head.match(/canary-key/g)).toHaveLength(1);
    expect(sent?.head).not.toMatch(/x-api-key/i);
    expect(Buffer.from(sent?.body ?? '', 'latin1').toString()).toBe(delivery.body);
    expect(patched?.head).toMatch(/^PATCH \/orders\/a1\/last-process-time HTTP/);
  });

  it('B1: refused is unclear or unavailable, and gives its place back', async () => {
    const { api, server, slots } = await upstream(() => {});
    await server.close();
    expect(await api.sendDelivery(delivery)).toEqual({ kind: 'unclear', why: 'no answer: connect' });
    expect(await api.pull(1)).toMatchObject({ kind: 'unavailable', httpStatus: null });
    expect(slots.held()).toBe(0);
  });

  it('finds no place while others hold them, sends nothing, and is over in its time', async () => {
    const { api, server, slots } = await upstream((socket) => socket.write(whole(200, json)));
    const theirs = { places: 2, isUpdate: false, spacingMs: 0, leaseMs: 3_600_000 };
    await slots.take('theirs-1', theirs);
    await slots.take('theirs-2', theirs);
    const startedAt = systemClock.now();
    const [sent, pulled] = await Promise.all([api.sendDelivery(delivery), api.pull(1)]);
    expect(sent).toMatchObject({ kind: 'unclear', why: expect.stringContaining('not sent') });
    expect(pulled).toEqual({ kind: 'unavailable', httpStatus: null, retryAfterSeconds: null });
    expect(server.requests).toEqual([]);
    expect(slots.held()).toBe(2);
    expect(systemClock.now() - startedAt).toBeLessThan(3_000);
  });
});

function head(status: number, ...headers: string[]): string {
  return [`HTTP/1.1 ${status} Some Words`, ...headers, '', ''].join('\r\n');
}

function drip(socket: Socket): void {
  socket.write(head(200, `Content-Length: ${json.length}`));
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at === json.length) clearInterval(timer);
    else socket.write(json.slice(at, ++at));
  }, 33);
}

function endless(socket: Socket): void {
  socket.write(head(200, 'Connection: close'));
  const blanks = Buffer.alloc(2 ** 16, 32);
  const more = (): void => {
    while (!socket.destroyed && socket.write(blanks));
  };
  socket.on('drain', more);
  more();
}
