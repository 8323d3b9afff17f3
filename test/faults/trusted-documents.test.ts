import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleDocuments } from '../../console/documents.ts';
import { readTrustedDocuments } from '../../src/app/trusted-documents.ts';
import { codeOf, startGateway, type TestGateway } from '../api/support/gateway.ts';
import { collect, connect, openEvents } from '../api/support/sockets.ts';

const viewer = 'query Me { viewer { caller } }';
const watch = 'subscription Watch { balanceChanged { amount } }';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const directory = mkdtempSync(join(tmpdir(), 'trusted-'));
const manifest = (content: string): string => {
  const file = join(directory, `${hash(content)}.json`);
  writeFileSync(file, content);
  return file;
};

const none = join(directory, 'none.json');

let gateway: TestGateway;
beforeAll(async () => {
  const file = manifest(JSON.stringify({ [hash(viewer)]: viewer, [hash(watch)]: watch }));
  gateway = await startGateway({ TRUSTED_DOCUMENTS: file });
});
afterAll(async () => {
  await gateway?.close();
  rmSync(directory, { recursive: true });
});

const post = (body: unknown): Promise<Response> =>
  fetch(gateway.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(body),
  });

describe('with a manifest', () => {
  test.each([
    ['named by its documentId', { documentId: hash(viewer) }],
    ['named as Apollo does', { extensions: { persistedQuery: { version: 1, sha256Hash: hash(viewer) } } }],
    ['sent whole', { query: viewer }],
    ['named and sent whole', { query: viewer, documentId: hash(viewer) }],
  ])('a document of it is executed: %s', async (_, body) => {
    const answer = await post(body);
    expect([answer.status, await answer.json()]).toEqual([200, { data: { viewer: { caller: 'sandbox' } } }]);
  });

  test('by GET, too', async () => {
    const answer = await fetch(`${gateway.graphql}?documentId=${hash(viewer)}`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(await answer.json()).toEqual({ data: { viewer: { caller: 'sandbox' } } });
  });

  test.each([
    ['another text', { query: '{ viewer { caller } }' }],
    ['a text that differs by a blank', { query: `${viewer} ` }],
    ['an unknown hash', { documentId: hash('x') }],
    ['a key of every object', { documentId: '__proto__' }],
    ['a known hash with another text', { query: '{ viewer { scopes } }', documentId: hash(viewer) }],
    [
      'a new text under its right hash',
      { query: '{ a: __typename }', documentId: hash('{ a: __typename }') },
    ],
    ['the introspection', { query: '{ __schema { types { name } } }' }],
    ['what cannot be parsed', { query: '{{{' }],
  ])('nothing else is, over HTTP: %s', async (_, body) => {
    const answer = await post(body);
    const told = await answer.json();
    expect([answer.status, codeOf({ body: told }), told.data]).toEqual([403, 'FORBIDDEN', undefined]);
  });

  test('nothing else is, over WebSocket and SSE', async () => {
    const client = connect(gateway.websocket, gateway.key);
    const refused = await collect(client, '{ viewer { scopes } }').ended;
    expect(refused).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const known = collect(client, viewer);
    await known.ended;
    expect(known.items).toEqual([{ data: { viewer: { caller: 'sandbox' } } }]);
    await client.dispose();
    const events = await openEvents(gateway.graphql, gateway.key, 'subscription { balanceChanged { asOf } }');
    expect(events.status).toBe(403);
    events.abort();
    const allowed = await openEvents(gateway.graphql, gateway.key, watch);
    expect(allowed.status).toBe(200);
    allowed.abort();
  });

  test('the console works: what it asks, as it asks it, is trusted as well', async () => {
    const documents = Object.entries(await consoleDocuments());
    expect(documents.length).toBeGreaterThan(30);
    const built = readTrustedDocuments(
      manifest('{}'),
      new URL('../../dist/console/documents.json', import.meta.url).pathname,
    );
    expect([...(built ?? [])]).toEqual(documents);
    for (const [, query] of documents.filter(([, text]) => text.startsWith('query'))) {
      // Without its variables each is bad input at most: it was looked at.
      const told = await (await post({ query })).json();
      expect([undefined, 'BAD_USER_INPUT'], query).toContain(told.errors?.[0]?.extensions.code);
    }
  });

  test('refusals are counted', async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toMatch(/switchboard_refusals_total\{why="untrusted"\} [1-9]/);
  });
});

test('where the console was not built, the operator’s documents are all', () => {
  expect(readTrustedDocuments(manifest(JSON.stringify({ a: viewer })), none)).toEqual(
    new Map([['a', viewer]]),
  );
  expect(readTrustedDocuments(undefined, none)).toBeNull();
});

describe('a manifest that is none keeps the gateway from starting', () => {
  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a document that is no text', '{"a": 1}'],
    ['an empty document', '{"a": ""}'],
  ])('%s', (_, content) => {
    expect(() => readTrustedDocuments(manifest(content), none)).toThrow(/^TRUSTED_DOCUMENTS: /);
  });

  test('a file that is not there', () => {
    expect(() => readTrustedDocuments(none, none)).toThrow(/cannot be read/);
  });

  test.each(['{ nothingOfTheKind }', '{{'])('a document that does not fit the graph: %s', async (text) => {
    await expect(
      startGateway({ TRUSTED_DOCUMENTS: manifest(JSON.stringify({ abc: text })) }),
    ).rejects.toThrow(/the document abc does not fit the graph/);
  });
});

test('without a manifest, a hash alone is told to send the query', async () => {
  const open = await startGateway();
  const answer = await fetch(open.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${open.key}` },
    body: JSON.stringify({ documentId: hash(viewer) }),
  });
  expect([answer.status, codeOf({ body: await answer.json() })]).toEqual([403, 'FORBIDDEN']);
  await open.close();
});
