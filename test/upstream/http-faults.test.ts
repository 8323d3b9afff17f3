import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { later } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { systemClock } from '../../src/system-clock.ts';
import { get, openHttp, openServer, text } from './support/open-http.ts';
import { whole } from './support/raw-server.ts';

describe('B1: no connection', () => {
  it('refused', async () => {
    const upstream = await openServer(() => {});
    const { port } = upstream;
    await upstream.close();
    const { http, lines } = openHttp();
    expect(await http.call(get(`http://127.0.0.1:${port}`))).toMatchObject({
      kind: 'no-answer',
      why: 'connect',
    });
    expect(lines).toMatchObject([{ level: 'warn', fields: { why: 'connect', code: 'ECONNREFUSED' } }]);
  });

  it('a name that nobody has', async () => {
    const answer = await openHttp().http.call(get('http://nobody.invalid/'));
    expect(answer).toMatchObject({ kind: 'no-answer', why: expect.stringMatching(/^(connect|timeout)$/) });
  });

  it('TLS that is none', async () => {
    const upstream = await openServer(
      () => {},
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const answer = await openHttp().http.call(get(`https://127.0.0.1:${upstream.port}`));
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'connect' });
  });

  it('a handshake that never ends is cut at the connect timeout', async () => {
    const upstream = await openServer(() => {});
    const answer = await openHttp().http.call(get(`https://127.0.0.1:${upstream.port}`));
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'connect' });
    expect(answer.elapsedMs).toBeLessThan(1_500);
  });

  it('or at the deadline, where that is nearer', async () => {
    const upstream = await openServer(() => {});
    const answer = await openHttp().http.call(
      get(`https://127.0.0.1:${upstream.port}`, { deadline: later(systemClock.now(), 80) }),
    );
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'timeout' });
    expect(answer.elapsedMs).toBeLessThan(290);
  });
});

describe('B2: the deadline is absolute', () => {
  it.each([
    ['before the headers', ''],
    ['in the middle of the headers', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nX-Slow: '],
    ['in the middle of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'],
  ])('one byte after the other, %s', async (_name, start) => {
    const upstream = await openServer((socket) => {
      socket.write(start);
      const drip = start === '' ? null : setInterval(() => socket.write('x'), 20);
      socket.on('close', () => drip && clearInterval(drip));
    });
    const answer = await openHttp().http.call(get(upstream.url, { deadline: later(systemClock.now(), 250) }));
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'timeout' });
    expect(answer.elapsedMs).toBeGreaterThanOrEqual(250);
    expect(answer.elapsedMs).toBeLessThan(1_000);
    await upstream.allClosed();
    expect(upstream.requests).toHaveLength(1);
  });

  it('goes by the clock: an answer read after a pause of the process is late, though no timer has fired', async () => {
    const upstream = await openServer((socket) => socket.write(whole(200, '{}')));
    let pause = 0;
    const paused: Clock = {
      ...systemClock,
      now: () => later(systemClock.now(), pause),
      after: () => () => {},
    };
    const { http } = openHttp(paused);
    expect(await http.call(get(upstream.url))).toMatchObject({ kind: 'answer' });
    const call = http.call(get(upstream.url));
    pause = 60_000;
    expect(await call).toMatchObject({ kind: 'no-answer', why: 'timeout' });
  });

  it('a call whose deadline has passed sends nothing', async () => {
    const upstream = await openServer((socket) => socket.write(whole(200, '{}')));
    const answer = await openHttp().http.call(get(upstream.url, { deadline: systemClock.now() }));
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'timeout' });
    await sleep(50);
    expect(upstream.connections()).toBe(0);
  });
});

describe('B3, B4: half an answer', () => {
  const cut: [string, string, (socket: Socket) => void][] = [
    [
      'with a length, ended',
      'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"success":',
      (socket) => socket.end(),
    ],
    [
      'with a length, reset',
      'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"succ',
      (s) => s.resetAndDestroy(),
    ],
    ['chunked, ended', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n', (s) => s.end()],
    [
      'chunked, in a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{"a":',
      (s) => s.end(),
    ],
    ['in the headers', 'HTTP/1.1 200 OK\r\nContent-Le', (s) => s.end()],
    ['nothing at all', '', (s) => s.end()],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', () => {}],
  ];
  it.each(cut)('%s: broken', async (_name, bytes, then) => {
    const upstream = await openServer((socket) => {
      socket.write(bytes);
      setTimeout(() => then(socket), 20);
    });
    const answer = await openHttp().http.call(get(upstream.url));
    expect(answer).toMatchObject({ kind: 'no-answer', why: 'broken' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('on a connection-close answer it looks whole: what is in it decides', async () => {
    const upstream = await openServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"success":tr'),
    );
    const answer = await openHttp().http.call(get(upstream.url));
    expect(answer).toMatchObject({ kind: 'answer', status: 200 });
    expect(answer.kind === 'answer' && text(answer.body)).toBe('{"success":tr');
  });

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, -10)],
    ['not gzip', () => Buffer.from('{"success":true}')],
  ])('gzip that is %s: broken', async (_name, spoil) => {
    const upstream = await openServer((socket) =>
      socket.write(whole(200, spoil(gzipSync('{"success":true}')), 'Content-Encoding: gzip')),
    );
    expect(await openHttp().http.call(get(upstream.url))).toMatchObject({ kind: 'no-answer', why: 'broken' });
  });
});

describe('B5: more than the limit', () => {
  it('an endless body is cut, and its connection given up', async () => {
    const upstream = await openServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 'x'))) {}
      };
      socket.on('drain', more);
      more();
    });
    expect(await openHttp().http.call(get(upstream.url))).toMatchObject({
      kind: 'no-answer',
      why: 'too-large',
    });
    await upstream.allClosed();
  });

  it('gzip is measured by what is in it: a bomb is cut at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(250_000);
    const upstream = await openServer((socket) => socket.write(whole(200, bomb, 'Content-Encoding: gzip')));
    const before = process.memoryUsage().rss;
    expect(await openHttp().http.call(get(upstream.url))).toMatchObject({
      kind: 'no-answer',
      why: 'too-large',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
  });

  it('an endless stream of gzip is cut, and its connection given up', async () => {
    const part = gzipSync(Buffer.alloc(1024 * 1024, 'x'));
    const upstream = await openServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(part)) {}
      };
      socket.on('drain', more);
      more();
    });
    expect(await openHttp().http.call(get(upstream.url))).toMatchObject({
      kind: 'no-answer',
      why: 'too-large',
    });
    await upstream.allClosed();
  });

  it('is exact, and is the call’s own', async () => {
    const upstream = await openServer((socket) => socket.write(whole(200, 'x'.repeat(1_000))));
    const { http } = openHttp();
    expect(await http.call(get(upstream.url, { mostBytes: 1_000 }))).toMatchObject({ kind: 'answer' });
    expect(await http.call(get(upstream.url, { mostBytes: 999 }))).toMatchObject({ why: 'too-large' });
  });
});

describe('B10: a connection used again', () => {
  it.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.end()],
  ])('%s after it took the second request: broken, and never sent again', async (_name, spoil) => {
    const upstream = await openServer((socket, { number }) => {
      if (number === 1) socket.write(whole(200, '{}'));
      else spoil(socket);
    });
    const { http } = openHttp();
    expect(await http.call(get(upstream.url))).toMatchObject({ kind: 'answer' });
    for (const method of ['POST', 'GET'] as const) {
      // Undici frees a connection a moment after its answer was read.
      await sleep(20);
      const sent = upstream.requests.length;
      const connections = upstream.connections();
      const answer = await http.call(
        get(upstream.url, { method, ...(method === 'POST' ? { body: '{}' } : {}) }),
      );
      expect(answer).toMatchObject({ kind: 'no-answer', why: 'broken' });
      await sleep(100);
      expect(upstream.requests).toHaveLength(sent + 1);
      if (sent === 1) expect(upstream.connections()).toBe(connections);
    }
  });
});
