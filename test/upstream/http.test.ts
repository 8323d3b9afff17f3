import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { get, openHttp, openServer, TOKEN, text } from './support/open-http.ts';
import { whole } from './support/raw-server.ts';

describe('a call', () => {
  it('sends the body byte for byte, with its own headers and a fresh id each time', async () => {
    const upstream = await openServer((socket) => socket.write(whole(200, '{"ok":1}', 'X-Request-Id: up-1')));
    const { http, lines } = openHttp();
    const body = '{"catalog_product_id":88,"note":"é😀","quantity":1}';
    const call = get(`${upstream.url}/v1/orders?a=1`, {
      method: 'POST',
      headers: { 'idempotency-key': 'job-1' },
      body,
    });
    const answer = await http.call(call);
    // Undici frees a connection a moment after its answer was read.
    await sleep(20);
    await http.call(call);

    expect(answer).toMatchObject({ kind: 'answer', status: 200, retryAfterSeconds: null });
    if (answer.kind === 'answer') expect(text(answer.body)).toBe('{"ok":1}');
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.connections()).toBe(1);
    const [first, second] = upstream.requests;
    expect(first?.head).toMatch(/^POST \/v1\/orders\?a=1 HTTP\/1\.1\r\n/);
    const head = first?.head.toLowerCase() ?? '';
    expect(head).toContain(`authorization: bearer ${TOKEN}`);
    expect(head).toContain('content-type: application/json');
    expect(head).toContain('accept-encoding: gzip');
    expect(head).toContain('idempotency-key: job-1');
    expect(head).toContain('x-request-id: request-1');
    expect(second?.head.toLowerCase()).toContain('x-request-id: request-2');
    expect(Buffer.from(first?.body ?? '', 'latin1').toString('utf8')).toBe(body);
    expect(lines[0]).toMatchObject({
      level: 'info',
      fields: { operation: 'test', status: 200, requestId: 'request-1', upstreamRequestId: 'up-1' },
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ])('reads a body compressed with %s', async (name, compress) => {
    const body = JSON.stringify({ text: 'é'.repeat(5_000) });
    const upstream = await openServer((socket) =>
      socket.write(whole(200, compress(Buffer.from(body)), `Content-Encoding: ${name}`)),
    );
    const answer = await openHttp().http.call(get(upstream.url));
    expect(answer.kind === 'answer' && text(answer.body)).toBe(body);
  });

  it('judges bytes of an unknown coding as they are', async () => {
    const upstream = await openServer((socket) => socket.write(whole(200, '{}', 'Content-Encoding: utf-8')));
    const answer = await openHttp().http.call(get(upstream.url));
    expect(answer.kind === 'answer' && text(answer.body)).toBe('{}');
  });
});

describe('B11: redirects', () => {
  it.each([301, 302, 303, 307, 308])('%i is an answer, and nobody else is asked', async (status) => {
    const other = await openServer((socket) => socket.write(whole(200, '{"success":true,"data":{}}')));
    const upstream = await openServer((socket) =>
      socket.write(whole(status, '', `Location: ${other.url}/v1/orders`)),
    );
    const answer = await openHttp().http.call(get(upstream.url, { method: 'POST', body: '{"secret":1}' }));
    expect(answer).toMatchObject({ kind: 'answer', status });
    await sleep(30);
    expect(other.connections()).toBe(0);
  });
});

describe('B12: Retry-After', () => {
  it.each([
    [['7'], 7],
    [['0'], null],
    [['-3'], null],
    [['1.5'], null],
    [['9e9'], null],
    [['0x10'], null],
    [[''], null],
    [['Tue, 01 Dec 2026 10:00:00 GMT'], null],
    [['5', '7'], null],
    [['5', '5'], null],
    [['99999999999999999999'], null],
    [[], null],
  ])('%j means %j', async (values, seconds) => {
    const headers = values.map((value) => `Retry-After: ${value}`);
    const upstream = await openServer((socket) => socket.write(whole(429, '{}', ...headers)));
    expect(await openHttp().http.call(get(upstream.url))).toMatchObject({
      kind: 'answer',
      status: 429,
      retryAfterSeconds: seconds,
    });
  });
});

describe('the log', () => {
  it('never holds the token, what was sent, or what came back', async () => {
    const canaries = [TOKEN, 'canary-body', 'canary-answer', 'canary-key', 'canary-reason'];
    const answers = [
      whole(200, '{"message":"canary-answer"}', `X-Request-Id: echo-${TOKEN}`),
      whole(500, 'canary-answer', `X-Request-Id: ${'x'.repeat(500)}`),
      whole(200, '{}', 'X-Request-Id: one two'),
      Buffer.from('canary-answer canary-reason\r\n\r\n'),
      Buffer.from('HTTP/1.1 200 canary-reason\r\nContent-Length: 9\r\n\r\ncana'),
    ];
    const upstream = await openServer((socket, { number }) => {
      socket.write(answers[number - 1] ?? '');
      if (number === answers.length) socket.end();
    });
    const { http, lines } = openHttp();
    for (const _ of answers) {
      await http.call(
        get(upstream.url, {
          method: 'POST',
          body: 'canary-body',
          headers: { 'idempotency-key': 'canary-key' },
        }),
      );
    }
    expect(lines).toHaveLength(answers.length);
    expect(lines.map(({ fields }) => fields['upstreamRequestId'])).toEqual([
      null,
      null,
      null,
      undefined,
      undefined,
    ]);
    for (const canary of canaries) expect(JSON.stringify(lines)).not.toContain(canary);
  });
});

describe('close', () => {
  it('ends what is under way, and lets nothing out afterwards', async () => {
    let reached = () => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const upstream = await openServer(() => reached());
    const { http } = openHttp();
    const call = http.call(get(upstream.url));
    await arrived;
    await http.close();
    expect(await call).toMatchObject({ kind: 'no-answer', why: 'broken' });
    await upstream.allClosed();
    expect(await http.call(get(upstream.url))).toMatchObject({ kind: 'no-answer' });
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('many at once', () => {
  it('each gets its own answer', async () => {
    const upstream = await openServer((socket, { head, number }) => {
      const path = head.split(' ')[1] ?? '';
      setTimeout(() => socket.write(whole(200, path)), (number * 7) % 30);
    });
    const { http } = openHttp();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => http.call(get(`${upstream.url}/${i}`))),
    );
    expect(answers.map((answer) => answer.kind === 'answer' && text(answer.body))).toEqual(
      Array.from({ length: 40 }, (_, i) => `/${i}`),
    );
  });
});
