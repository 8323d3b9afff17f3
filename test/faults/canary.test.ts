import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, type GraphBody, until } from '../api/support/gateway.ts';
import { collect, connect, openEvents, rawSocket } from '../api/support/sockets.ts';
import { leaksIn } from './support/canaries.ts';
import { addressOf, type Program, runProgram } from './support/program.ts';
import { openTelltale, type TelltaleUpstream } from './support/telltale-upstream.ts';

/** Secrets that stand out wherever they turn up. */
const canaries = {
  token: 'CANARY-buyer-token-7f31',
  apiKey: 'CANARY-supplier-key-0c92',
  webhookSecret: 'CANARY-webhook-secret-55ab',
  encryptionKey: Buffer.from('CANARY-encryption-key-32-bytes!!').toString('base64'),
  message: 'CANARY-message-text',
  code: '918273645',
  line: 'canary-line@mail.example:CANARY-line-pass',
} as const;

const directory = mkdtempSync(join(tmpdir(), 'canary-'));
const phones = new Set<string>();
const keys: string[] = [];
/** Every answer of the gateway. */
const answers: string[] = [];
const reasons: string[] = [];
let upstream: TelltaleUpstream;
let program: Program;
let url: string;

beforeAll(async () => {
  upstream = await openTelltale({ buyer: canaries.token, supplier: canaries.apiKey });
  const env = {
    LOG_LEVEL: 'debug',
    PORT: '0',
    DATABASE_URL: `file:${join(directory, 'switchboard.db')}`,
    SMSCODE_API_TOKEN: canaries.token,
    SMSCODE_BASE_URL: `${upstream.origin}/v1`,
    SMSCODE_WEBHOOK_SECRET: canaries.webhookSecret,
    SUPPLIER_API_KEY: canaries.apiKey,
    SUPPLIER_BASE_URL: `${upstream.origin}/api/admin/v2`,
    ENCRYPTION_KEY: canaries.encryptionKey,
    POLL_INTERVAL_SECONDS: '1',
    CATALOG_MAX_AGE_SECONDS: '60',
    PRODUCT_MAX_AGE_SECONDS: '60',
  };
  for (const scopes of ['OPERATOR', 'BUYER']) {
    const made = runProgram(
      ['keys', 'create', '--caller', scopes.toLowerCase(), '--scopes', scopes],
      env,
      directory,
    );
    await made.ended;
    keys.push(made.out().trim());
  }
  program = runProgram(['serve'], env, directory);
  url = await addressOf(program);
}, 120_000);

afterAll(async () => {
  program?.child.kill('SIGKILL');
  await upstream?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function ask(
  query: string,
  variables: unknown = {},
  key = keys[0] ?? '',
): Promise<{ body: GraphBody; text: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  answers.push(text);
  return { text, body: JSON.parse(text) };
}

async function webhook(data: unknown, secret: string = canaries.webhookSecret): Promise<number> {
  const body = JSON.stringify({ event: 'order.otp_received', timestamp: new Date().toISOString(), data });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const response = await fetch(`${url}/webhooks/smscode`, {
    method: 'POST',
    headers: { 'x-webhook-signature': signature },
    body,
  });
  answers.push(await response.text());
  return response.status;
}

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product }) {
    __typename ... on CreateOrderResolved { orders { id phoneNumber } }
  }
}`;

describe('a whole day of the program, with everything that goes wrong', () => {
  test('orders, messages and deliveries go through it', async () => {
    await upstream.control('settings', { number_delay_seconds: 0, sms_delay_seconds: null });
    const { body } = await ask(
      '{ catalogProducts(filter: { orderable: true }, first: 1) { nodes { catalogProductId } } }',
    );
    const product: unknown = body.data.catalogProducts.nodes[0].catalogProductId;
    const made = await ask(CREATE, { job: 'canary', product });
    expect(made.body.data.createOrder.__typename).toBe('CreateOrderResolved');
    const order = made.body.data.createOrder.orders[0];
    phones.add(order.phoneNumber);
    const client = connect(url.replace('http', 'ws').concat('/graphql'), keys[0] ?? '');
    const seen = collect(client, 'subscription { smsReceived { message otpCode } }');
    const said = {
      order_id: Number(order.id),
      sms_revision: 1,
      otp_message: `${canaries.message} ${canaries.code}`,
      otp_code: canaries.code,
    };
    expect(await webhook(said)).toBe(200);
    expect(await webhook({ ...said, otp_message: `${canaries.message}, but another` })).toBe(200);
    await upstream.control('sms', {
      order_id: Number(order.id),
      message: `${canaries.message} by poll`,
      otp_code: canaries.code,
    });
    await until('the message is seen', () => seen.items.length > 0, 10_000);
    expect(JSON.stringify(seen.items)).toContain(canaries.message);
    await client.dispose();
    await ask(
      'query ($n: String!) { orders(filter: { phoneNumber: $n }) { nodes { id smsRevisions { message } } } }',
      { n: order.phoneNumber },
    );
    await upstream.control('supplier-orders', { quantity: 3 });
    const pulled = await ask('mutation { pullSupplierOrders { id } }');
    const supplierOrder: unknown = pulled.body.data.pullSupplierOrders[0].id;
    const delivered = await ask(
      'mutation ($id: ID!, $lines: [String!]!) { deliverSupplierOrder(input: { orderId: $id, lines: $lines }) { __typename } }',
      { id: supplierOrder, lines: [canaries.line] },
    );
    expect(delivered.body.data.deliverSupplierOrder.__typename).toBe('DeliveryAccepted');
    // The upstreams tell on everybody from here on.
    upstream.tell(60);
    for (let turn = 0; turn < 4; turn++) {
      await ask(CREATE, { job: `told-${turn}`, product });
      await ask('mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }', { id: order.id });
      await ask('{ balance(refresh: true) { amount } upstreamWebhook { url } }');
      await ask('{ catalogProducts(refresh: true, first: 1) { totalCount } }');
      await ask('mutation { pullSupplierOrders { id } testUpstreamWebhook { statusCode } }');
      await ask(
        'mutation ($id: ID!, $l: [String!]!) { deliverSupplierOrder(input: { orderId: $id, lines: $l }) { __typename ... on DeliveryRejected { message } ... on DeliveryPending { delivery { lastError } } } }',
        { id: supplierOrder, l: [`${turn}-${canaries.line}`] },
      );
    }
    upstream.tell(0);
  }, 120_000);

  test('bad requests of every kind', async () => {
    expect(await webhook({ order_id: 1, otp_message: canaries.message }, 'another secret')).toBe(401);
    expect(await webhook({ order_id: canaries.code, sms_revision: 'x', otp_message: canaries.message })).toBe(
      200,
    );
    for (const key of ['', `sb_${'A'.repeat(43)}`, `${keys[0]}x`])
      await ask('{ viewer { caller } }', {}, key);
    await ask('{ order(id: "1") { id } audit { nodes { act } } }', {}, keys[1]);
    await ask(
      'mutation ($l: [String!]!) { deliverSupplierOrder(input: { orderId: "x", lines: $l }) { __typename } }',
      { l: [canaries.line, '\ud800'] },
    );
    await ask('mutation { createOrder(input: { businessJobId: "", catalogProductId: 1 }) { __typename } }');
    await ask('query { nothing');
    const socket = rawSocket(url.replace('http', 'ws').concat('/graphql'));
    await socket.opened;
    socket.send({ type: 'connection_init', payload: { authorization: `${keys[0]}-wrong` } });
    const closed = await socket.closed;
    reasons.push(closed.reason);
    expect(closed.code).toBe(4403);
    const second = rawSocket(url.replace('http', 'ws').concat('/graphql'));
    await second.opened;
    second.socket.send(`{"type":"connection_init","payload":{"authorization":"${keys[0]}"`);
    reasons.push((await second.closed).reason);
    const events = await openEvents(
      `${url}/graphql`,
      keys[1] ?? '',
      'subscription { supplierOrderClaimed { id } }',
    );
    await events.ended;
    expect(codeOf({ body: events.items[0] ?? {} })).toBe('FORBIDDEN');
  }, 60_000);

  test('none of it is in a log, a metric, an error, a close reason or the list of processes', async () => {
    const metrics = await (
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${keys[0]}` } })
    ).text();
    const health = await (await fetch(`${url}/readyz`)).text();
    const processes = readFileSync(`/proc/${program.child.pid}/cmdline`, 'utf8');
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    // The banner of a program is the operator's; what it says is looked at like all else.
    const places = {
      out: program.out(),
      err: program.err(),
      metrics,
      health,
      processes,
      reasons: reasons.join('\n'),
    };
    expect(places.out.split('\n').length).toBeGreaterThan(100);
    const secrets = [...Object.values(canaries), 'CANARY', ...keys, ...phones];
    expect(phones.size).toBeGreaterThan(0);
    expect(keys.every((key) => key.startsWith('sb_'))).toBe(true);
    expect(leaksIn(places, secrets)).toEqual([]);
    // A client may have its own words quoted back, and nothing of the gateway's.
    const ours = [canaries.token, canaries.apiKey, canaries.webhookSecret, canaries.encryptionKey, ...keys];
    expect(answers.filter((answer) => answer.includes('"errors"')).length).toBeGreaterThan(15);
    expect(leaksIn({ answers: answers.join('\n') }, ours)).toEqual([]);
  }, 60_000);
});

test('the database holds none of it either', () => {
  const bytes = ['switchboard.db', 'switchboard.db-wal']
    .map((file) => {
      try {
        return readFileSync(join(directory, file), 'latin1');
      } catch {
        return '';
      }
    })
    .join('');
  expect(bytes.length).toBeGreaterThan(10_000);
  for (const secret of [
    canaries.message,
    canaries.code,
    canaries.line,
    canaries.token,
    canaries.apiKey,
    ...keys,
    ...phones,
  ])
    expect(bytes.includes(secret), secret).toBe(false);
});
