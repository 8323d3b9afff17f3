import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { instant } from '../../src/domain/time.ts';
import { codeOf, readAnswer, startGateway, type TestGateway, until } from './support/gateway.ts';
import { collect, connect, openEvents } from './support/sockets.ts';

const WHO = '{ viewer { caller scopes } }';
const WATCH = 'subscription { smsReceived { revision } }';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe('over HTTP', () => {
  test('a stored key names its caller and scopes', async () => {
    const { key } = await gateway.makeKey('shop', ['BUYER', 'SUPPLIER']);
    const { body } = await gateway.ask(WHO, {}, key);
    expect(body.data.viewer).toEqual({ caller: 'shop', scopes: ['BUYER', 'SUPPLIER'] });
  });

  test.each([
    ['none', {}],
    ['an unknown one', { authorization: `Bearer sb_${'A'.repeat(43)}` }],
    ['no key of ours', { authorization: 'Bearer hello' }],
    ['one without its scheme', () => ({ authorization: gateway.key })],
    ['another scheme', () => ({ authorization: `Basic ${gateway.key}` })],
    ['one far too long', { authorization: `Bearer sb_${'A'.repeat(10_000)}` }],
    ['one that is not ASCII', { authorization: 'Bearer sb_\u00e9' }],
    ['two in one header', () => ({ authorization: `Bearer ${gateway.key}, Bearer ${gateway.key}` })],
  ])('401 for %s', async (_what, given) => {
    const headers = typeof given === 'function' ? given() : given;
    const answer = await gateway.ask(WHO, {}, null, headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(codeOf(answer)).toBe('UNAUTHENTICATED');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body.data).toBeUndefined();
  });

  test('401 for an expired key, and for a revoked one within five seconds', async () => {
    const expired = await gateway.makeKey('late', ['BUYER'], { expiresAt: instant(Date.now() - 1_000) });
    expect((await gateway.ask(WHO, {}, expired.key)).status).toBe(401);
    const { key, id } = await gateway.makeKey('shop');
    expect((await gateway.ask(WHO, {}, key)).status).toBe(200);
    await gateway.revoke(id);
    await until('the key is refused', async () => (await gateway.ask(WHO, {}, key)).status === 401);
  });

  test('the answer is of the type that was asked for', async () => {
    const accept = 'application/graphql-response+json';
    const answer = await gateway.ask(WHO, {}, null, { accept });
    expect(answer.headers.get('content-type')).toContain(accept);
    expect(codeOf(answer)).toBe('UNAUTHENTICATED');
  });

  test('whoever has no key is refused before a byte of the body is read', async () => {
    // A body that never ends: only a server that does not wait for it answers.
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
    const response = await fetch(gateway.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit).catch(() => null);
    // The edge cuts such a sender off: whether it still read the answer is its own affair.
    expect(response?.status ?? 401).toBe(401);
  });
});

describe('over SSE', () => {
  test('401 without a key', async () => {
    const response = await fetch(gateway.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: WATCH }),
    });
    expect(response.status).toBe(401);
    expect(codeOf(await readAnswer(response))).toBe('UNAUTHENTICATED');
  });

  test('a stream ends with a coded error when its key is revoked', async () => {
    const { key, id } = await gateway.makeKey('streaming');
    const events = await openEvents(gateway.graphql, key, WATCH);
    expect(events.status).toBe(200);
    const revokedAt = Date.now();
    await gateway.revoke(id);
    expect(await events.ended).toBe('complete');
    expect(Date.now() - revokedAt).toBeLessThan(5_000);
    expect(events.items.at(-1)?.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' });
  });

  test('a stream ends when its key expires', async () => {
    const { key } = await gateway.makeKey('short', ['BUYER'], { expiresAt: instant(Date.now() + 1_500) });
    const events = await openEvents(gateway.graphql, key, WATCH);
    expect(await events.ended).toBe('complete');
    expect(codeOf({ body: events.items.at(-1) ?? {} })).toBe('UNAUTHENTICATED');
  });
});

describe('over WebSocket', () => {
  const closeOf = (key: string | null): Promise<{ code: number; reason: string }> =>
    new Promise((resolve) => {
      const client = connect(gateway.websocket, key, (code, reason) => resolve({ code, reason }));
      collect(client, WATCH);
    });

  test.each([
    ['none', null],
    ['an unknown one', `sb_${'A'.repeat(43)}`],
    ['no key of ours', 'hello'],
  ])('4403 for %s', async (_what, key) => {
    expect(await closeOf(key)).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  test('a socket closes with 4403 when its key is revoked, and other sockets stay open', async () => {
    const { key, id } = await gateway.makeKey('socketed');
    const other = connect(gateway.websocket, gateway.key);
    const kept = collect(other, WATCH);
    const closed = closeOf(key);
    await gateway.revoke(id);
    expect(await closed).toEqual({ code: 4403, reason: 'Forbidden' });
    const asked = collect(other, WHO);
    expect(await asked.ended).toBe('complete');
    expect(asked.items[0]?.data.viewer.caller).toBe('sandbox');
    kept.stop();
    await other.dispose();
  });

  test('a socket whose key was revoked asks for nothing more, though it does not go', async () => {
    const { key, id } = await gateway.makeKey('stubborn');
    const client = new WebSocket(gateway.websocket, 'graphql-transport-ws');
    await new Promise((resolve) => client.once('open', resolve));
    client.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
    await new Promise((resolve) => client.once('message', resolve));
    // It does not see that it is told to go; another one of the same key does.
    client.pause();
    const closed = closeOf(key);
    await gateway.revoke(id);
    expect((await closed).code).toBe(4403);
    const input = '{ businessJobId: "after-the-end", catalogProductId: 6136 }';
    const query = `mutation { createOrder(input: ${input}) { __typename } }`;
    client.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await gateway.control('ledger')).toMatchObject({ charges: [] });
    // Else it could not tell that this would have bought.
    await gateway.ask(query);
    expect(await gateway.control('ledger')).toMatchObject({ charges: [{}] });
    client.terminate();
  });
});

describe('the ready key of sandbox mode', () => {
  test('is none while HOST is open to other machines', async () => {
    const open = await startGateway({ HOST: '0.0.0.0' });
    expect(open.app.sandbox?.key).toBeNull();
    expect((await open.ask(WHO, {}, gateway.key)).status).toBe(401);
    await open.close();
  });

  test('is none in live mode, though its file lies beside the database', async () => {
    const live = await startGateway({
      SMSCODE_API_TOKEN: 'token',
      SMSCODE_BASE_URL: 'http://127.0.0.1:9/v1',
      DATABASE_URL: gateway.databaseUrl,
    });
    expect(live.app.sandbox).toBeNull();
    expect((await live.ask(WHO, {}, gateway.key)).status).toBe(401);
    await live.close();
  });
});
