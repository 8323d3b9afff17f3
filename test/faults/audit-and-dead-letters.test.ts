import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startGateway, type TestGateway } from '../api/support/gateway.ts';
import { orderFor } from './support/ordering.ts';

let gateway: TestGateway;
let shop: { readonly key: string; readonly id: string };
let operator: { readonly key: string; readonly id: string };
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  shop = await gateway.makeKey('shop', ['BUYER', 'SUPPLIER']);
  operator = await gateway.makeKey('ops', ['OPERATOR']);
});
afterAll(() => gateway?.close());

function inDatabase<Value>(work: (database: Database.Database) => Value): Value {
  const database = new Database(join(gateway.directory, 'switchboard.db'), { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const AUDIT = `query ($caller: String, $first: Int, $after: String) {
  audit(caller: $caller, first: $first, after: $after) {
    nodes { at act subject caller keyId requestId } pageInfo { hasNextPage endCursor }
  }
}`;

describe('the audit', () => {
  test('tells who did what, by which key, in which request, and by whom keys were made', async () => {
    const order = await orderFor(gateway, shop.key, 'audited');
    await gateway.ask(
      'mutation ($id: ID!) { cancelOrder(orderId: $id) { __typename } }',
      { id: order.id },
      shop.key,
      {
        'x-request-id': 'request-of-the-cancel',
      },
    );
    await gateway.ask('mutation { pullSupplierOrders { id } }', {}, shop.key);
    const { body } = await gateway.ask(AUDIT, {}, operator.key);
    expect(body.data.audit.nodes).toMatchObject([
      { act: 'PULL_SUPPLIER_ORDERS', caller: 'shop', keyId: shop.id },
      {
        act: 'CANCEL_ORDER',
        subject: order.id,
        caller: 'shop',
        keyId: shop.id,
        requestId: 'request-of-the-cancel',
      },
      { act: 'CREATE_ORDER', caller: 'shop', keyId: shop.id, requestId: expect.any(String) },
      { act: 'CREATE_KEY', subject: operator.id, caller: null, keyId: null, requestId: null },
      { act: 'CREATE_KEY', subject: shop.id, caller: null },
    ]);
  });

  test('is read in pages, and of one caller', async () => {
    const first = (await gateway.ask(AUDIT, { first: 2 }, operator.key)).body.data.audit;
    expect([first.nodes.length, first.pageInfo.hasNextPage]).toEqual([2, true]);
    const rest = (await gateway.ask(AUDIT, { after: first.pageInfo.endCursor }, operator.key)).body.data
      .audit;
    expect(rest.nodes).toHaveLength(3);
    const ofShop = (await gateway.ask(AUDIT, { caller: 'shop' }, operator.key)).body.data.audit;
    expect(ofShop.nodes).toHaveLength(3);
  });

  test('what changed nothing is not in it: refusals, reads, and a job asked for again', async () => {
    const before = (await gateway.ask(AUDIT, {}, operator.key)).body.data.audit.nodes.length;
    await orderFor(gateway, shop.key, 'audited');
    await gateway.ask('mutation { cancelOrder(orderId: "999") { __typename } }', {}, shop.key);
    await gateway.ask('mutation { connectUpstreamWebhook(url: "https://x.example") { url } }', {}, shop.key);
    expect((await gateway.ask(AUDIT, {}, operator.key)).body.data.audit.nodes).toHaveLength(before);
  });

  test('is an operator’s alone, and cannot be changed by a statement', async () => {
    expect(codeOf(await gateway.ask(AUDIT, {}, shop.key))).toBe('FORBIDDEN');
    for (const statement of ["update audit set caller = 'x'", 'delete from audit']) {
      expect(() => inDatabase((database) => database.exec(statement))).toThrow(/only added to/);
    }
  });

  test('an act whose entry cannot be written is not done', async () => {
    inDatabase((database) =>
      database.exec("create trigger no_audit before insert on audit begin select raise(abort, 'no'); end"),
    );
    const charges = JSON.stringify(await gateway.control('ledger')).match(/"charges":\[[^\]]*\]/)?.[0];
    await expect(orderFor(gateway, shop.key, 'unaudited')).rejects.toThrow(/INTERNAL_SERVER_ERROR/);
    expect(JSON.stringify(await gateway.control('ledger'))).toContain(charges ?? 'no charges');
    inDatabase((database) => database.exec('drop trigger no_audit'));
    await orderFor(gateway, shop.key, 'unaudited');
  });
});

describe('a poison webhook', () => {
  const DEAD = '{ deadWebhooks { nodes { id event orderId revision receivedAt tries } } }';

  test('is given up on, listed without what it holds, and goes through once it is mended and replayed', async () => {
    const order = await orderFor(gateway, shop.key, 'poisoned');
    inDatabase((database) => database.exec(`update orders set status = 'NONSENSE' where id = ${order.id}`));
    const data = {
      order_id: Number(order.id),
      sms_revision: 1,
      otp_message: 'Your code is 313131',
      otp_code: '313131',
    };
    const body = JSON.stringify({ event: 'order.otp_received', data });
    const signature = `sha256=${createHmac('sha256', 'sandbox-secret').update(body).digest('hex')}`;
    const answer = await fetch(`${gateway.url}/webhooks/smscode`, {
      method: 'POST',
      headers: { 'x-webhook-signature': signature },
      body,
    });
    expect(answer.status).toBe(200);
    // Nine tries are done: the tenth is near.
    await expect
      .poll(() =>
        inDatabase((database) =>
          database.prepare('select tries from inbox where order_id = ?').pluck().get(order.id),
        ),
      )
      .toBeGreaterThan(0);
    inDatabase((database) => database.exec('update inbox set tries = 9, next_try_at = 0'));
    await expect
      .poll(async () => (await gateway.ask(DEAD, {}, operator.key)).body.data.deadWebhooks.nodes.length, {
        timeout: 10_000,
      })
      .toBe(1);
    const dead = await gateway.ask(DEAD, {}, operator.key);
    expect(dead.body.data.deadWebhooks.nodes).toEqual([
      {
        id: expect.any(String),
        event: 'order.otp_received',
        orderId: order.id,
        revision: 1,
        receivedAt: expect.any(String),
        tries: 10,
      },
    ]);
    expect(dead.text).not.toContain('313131');
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toMatch(/inbox_dead_letters_total [1-9]/);
    // Others are not held up by it.
    const other = await orderFor(gateway, shop.key, 'not poisoned');
    await gateway.control('sms', { order_id: Number(other.id), message: 'Hello 1' });
    const messages = 'query ($id: ID!) { order(id: $id) { smsRevisions { message } } }';
    await expect
      .poll(
        async () =>
          (await gateway.ask(messages, { id: other.id }, shop.key)).body.data.order.smsRevisions.length,
      )
      .toBe(1);

    inDatabase((database) => database.exec(`update orders set status = 'ACTIVE' where id = ${order.id}`));
    const { id } = dead.body.data.deadWebhooks.nodes[0];
    const replay = 'mutation ($id: ID!) { replayDeadWebhook(id: $id) { id tries } }';
    expect((await gateway.ask(replay, { id }, operator.key)).body.data.replayDeadWebhook).toEqual({
      id,
      tries: 10,
    });
    await expect
      .poll(
        async () => (await gateway.ask(messages, { id: order.id }, shop.key)).body.data.order.smsRevisions,
      )
      .toEqual([{ message: 'Your code is 313131' }]);
    for (const unknown of [id, '99999', '0', '-1', '1e3', 'x'])
      expect(codeOf(await gateway.ask(replay, { id: unknown }, operator.key)), unknown).toBe('NOT_FOUND');
    const { body: audit } = await gateway.ask(AUDIT, { first: 1 }, operator.key);
    expect(audit.data.audit.nodes).toMatchObject([
      { act: 'REPLAY_WEBHOOK', subject: id, caller: 'ops', keyId: operator.id },
    ]);
  }, 30_000);
});
