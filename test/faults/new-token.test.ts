import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway, until } from '../api/support/gateway.ts';
import { openTelltale, type TelltaleUpstream } from './support/telltale-upstream.ts';

const directory = mkdtempSync(join(tmpdir(), 'new-token-'));
let upstream: TelltaleUpstream;
beforeAll(async () => {
  upstream = await openTelltale({ buyer: 'old-token', supplier: 'key' });
});
afterAll(async () => {
  await upstream?.close();
  rmSync(directory, { recursive: true, force: true });
});

const startWith = (token: string): Promise<TestGateway> =>
  startGateway({
    DATABASE_URL: `file:${join(directory, 'switchboard.db')}`,
    SMSCODE_API_TOKEN: token,
    SMSCODE_BASE_URL: `${upstream.origin}/v1`,
  });

const ATTEMPTS = `{ createAttempts { nodes {
  state idempotencyKey sends orders { id } events { state reason httpStatus }
} } }`;

test('the token is changed between two sends: with the new one the same key goes on, and is charged once', async () => {
  const before = await startWith('old-token');
  const { key } = await before.makeKey('ops', ['OPERATOR']);
  const catalog = await before.ask(
    '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId } } }',
    {},
    key,
  );
  const product: unknown = catalog.body.data.catalogProducts.nodes[0].catalogProductId;
  upstream.replaceToken('new-token');
  const asked = await before.ask(
    `mutation ($product: Int!) { createOrder(input: { businessJobId: "a", catalogProductId: $product }) { __typename } }`,
    { product },
    key,
  );
  expect(asked.body.data.createOrder.__typename).toBe('CreateOrderNeedsReconciliation');
  const refused = (await before.ask(ATTEMPTS, {}, key)).body.data.createAttempts.nodes[0];
  expect(refused.events.at(-1)).toMatchObject({ state: 'NEEDS_RECONCILIATION', httpStatus: 401 });
  expect((await upstream.ledger()).charges).toBe(0);
  await before.close();

  const after = await startWith('new-token');
  const known = async () => (await after.ask(ATTEMPTS, {}, key)).body.data.createAttempts.nodes[0];
  await until('the attempt is resolved', async () => (await known()).state === 'RESOLVED', 12_000);
  const resolved = await known();
  expect(resolved.idempotencyKey).toBe(refused.idempotencyKey);
  expect(resolved.sends).toBeGreaterThan(1);
  expect(resolved.orders).toHaveLength(1);
  expect(await upstream.ledger()).toEqual({ charges: 1, creates: 1 });
  await after.close();
}, 40_000);
