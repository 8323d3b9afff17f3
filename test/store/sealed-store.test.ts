import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAesCipher, createPlainCipher } from '../../src/aes-cipher.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { Cipher } from '../../src/ports/cipher.ts';
import { sealedStore } from '../../src/store/sealed-store.ts';
import type { WholeStore } from '../conformance/support/database.ts';
import {
  anyOrder,
  bought,
  draft,
  made,
  ofAll,
  order,
  prepared,
  receive,
  sms,
  smsEntry,
  smsEvent,
  snapshot,
} from '../conformance/support/values.ts';
import { countingRandom, type FakeClock, fakeClock, fakeWake, known } from '../conformance/support/world.ts';
import { type SqliteDatabase, sqliteDatabase } from './sqlite/support/sqlite-database.ts';

const keyOf = (fill: number) => createSecretKey(Buffer.alloc(32, fill));
const oldCipher = createAesCipher([keyOf(1)]);
const rotated = createAesCipher([keyOf(2), keyOf(1)]);
const text = 'Your code is 424242 \ud800';
const number = '+628110004242';
const secrets = /424242|628110004242/;
const page = { first: 10, after: null };

describe('a sealed store', () => {
  let database: SqliteDatabase;
  let clock: FakeClock;
  beforeEach(async () => {
    database = await sqliteDatabase();
    clock = fakeClock();
  });
  afterEach(() => database.drop());

  const plainly = (): Promise<WholeStore> =>
    database.open({ clock, random: countingRandom(), wake: fakeWake() });
  const open = async (cipher: Cipher): Promise<WholeStore> => sealedStore(await plainly(), cipher, 0);
  const withSms = (id: number, revision = 0) =>
    snapshot(id, { phoneNumber: number, evidence: { revision, message: text, otpCode: '424242' } });

  async function everything(): Promise<string> {
    const tables = await database.query(`select name from sqlite_schema where type = 'table'`);
    const rows = await Promise.all(
      tables.map(({ name }) => database.query(`select * from "${String(name)}"`)),
    );
    return JSON.stringify(rows, (_name, value: unknown) =>
      value instanceof Object &&
      'type' in value &&
      value.type === 'Buffer' &&
      'data' in value &&
      Array.isArray(value.data)
        ? Buffer.from(value.data).toString('latin1')
        : value,
    );
  }

  it('keeps no text, code or number that a copy of it would tell, and gives all of them back', async () => {
    const store = await open(oldCipher);
    const { attempt } = await bought(store, draft('a'), withSms(21));
    const late = await prepared(store, draft('b'));
    clock.pass(60 * SECOND);
    await store.attempts.take(late.attemptId, 'other');
    // An answer that came too late is kept as evidence, and holds the same.
    expect((await store.attempts.settle(late, made(withSms(22)))).kind).toBe('claim-lost');
    const body = new TextEncoder().encode(JSON.stringify({ text, number }));
    await store.inbox.insert({ ...smsEntry(21, 1), body });
    expect(await everything()).not.toMatch(secrets);
    const found = known(await store.orders.find(ofAll, order(21)));
    expect(found).toMatchObject({ phoneNumber: number, otpCode: '424242', otpMessage: text });
    expect(await store.attempts.find(attempt.caller, attempt.businessJobId)).toMatchObject({
      orders: [found],
    });
    expect(await store.orders.messages(ofAll, order(21), -1, 9)).toMatchObject([
      { revision: 0, message: text, otpCode: '424242' },
    ]);
    expect((await store.inbox.pending(1))[0]?.body).toEqual(Buffer.from(body));
  });

  it('gives out what was sealed just now without opening it, and opens what is older', async () => {
    const open = vi.fn(oldCipher.open);
    const store = sealedStore(await plainly(), { ...oldCipher, open }, 1);
    const numberOf = async (id: number) => (await store.orders.find(ofAll, order(id)))?.phoneNumber;
    await bought(store, draft('a'), snapshot(21, { phoneNumber: number }));
    expect([await numberOf(21), open.mock.calls.length]).toEqual([number, 0]);
    await bought(store, draft('b'), snapshot(22, { phoneNumber: '+628110004243' }));
    expect([await numberOf(22), open.mock.calls.length]).toEqual(['+628110004243', 0]);
    expect([await numberOf(21), open.mock.calls.length]).toEqual([number, 1]);
  });

  it('remembers no long text', async () => {
    const open = vi.fn(oldCipher.open);
    const store = sealedStore(await plainly(), { ...oldCipher, open });
    const messageOf = async (id: number) => (await store.orders.find(ofAll, order(id)))?.otpMessage;
    const long = 'x'.repeat(9_000);
    await bought(store, draft('a'), snapshot(21, sms(0, text)), snapshot(22, sms(0, long)));
    expect([await messageOf(21), open.mock.calls.length]).toEqual([text, 0]);
    expect([await messageOf(22), open.mock.calls.length]).toEqual([long, 1]);
  });

  it('finds a number under whatever key it was sealed, and from before there was any', async () => {
    const before = await plainly();
    await bought(before, draft('a'), snapshot(20, { phoneNumber: number }));
    clock.pass(SECOND);
    await bought(
      await open(createPlainCipher()),
      draft('b'),
      snapshot(21, { phoneNumber: number, createdAt: clock.now() }),
    );
    clock.pass(SECOND);
    await bought(
      await open(oldCipher),
      draft('c'),
      snapshot(22, { phoneNumber: number, createdAt: clock.now() }),
    );
    clock.pass(SECOND);
    const store = await open(rotated);
    await bought(store, draft('d'), snapshot(23, { phoneNumber: number, createdAt: clock.now() }));
    await bought(store, draft('e'), snapshot(24, { phoneNumber: '+628110004243' }));
    const query = { ...anyOrder, phoneNumber: number };
    const all = await store.orders.page(ofAll, query, page);
    expect(all.items.map(({ node }) => [node.id, node.phoneNumber])).toEqual(
      [23, 22, 21, 20].map((id) => [id, number]),
    );
    expect(all).toMatchObject({ total: 4, hasNext: false });
    const first = await store.orders.page(ofAll, query, { first: 2, after: null });
    expect(first).toMatchObject({ total: 4, hasNext: true });
    const after = known(first.items.at(-1)).position;
    const rest = await store.orders.page(ofAll, query, { first: 2, after });
    expect(rest.items.map(({ node }) => node.id)).toEqual([21, 20]);
    expect(rest.hasNext).toBe(false);
  });

  it('reads what was kept before there was sealing', async () => {
    const before = await plainly();
    await bought(before, draft('a'), withSms(21));
    await before.inbox.insert(smsEntry(21, 1));
    const store = await open(oldCipher);
    expect(await store.orders.find(ofAll, order(21))).toMatchObject({
      phoneNumber: number,
      otpMessage: text,
    });
    expect(await store.orders.messages(ofAll, order(21), -1, 9)).toMatchObject([{ message: text }]);
    expect((await store.inbox.pending(1))[0]?.body).toEqual(Buffer.from(smsEntry(21, 1).body));
  });

  it('takes the same message again, under a new key too, for no other text', async () => {
    const store = await open(oldCipher);
    await bought(store, draft('a'), withSms(21));
    const later = await open(rotated);
    const again = await later.orders.record(withSms(21), clock.now());
    expect(again).toMatchObject({ kind: 'recorded', news: null, conflict: false });
    await later.inbox.insert(smsEntry(21, 0));
    const record = known((await later.inbox.pending(1))[0]);
    const event = smsEvent(21, 0, text);
    expect(await later.inbox.apply([{ record, event }])).toMatchObject([{ news: null, conflict: false }]);
    const other = snapshot(21, sms(0, 'Another text'));
    expect(await later.orders.record(other, clock.now())).toMatchObject({ conflict: true });
  });

  it('notes what a poll finds unchanged, and hands back as it came what it does not', async () => {
    const store = await open(oldCipher);
    await bought(store, draft('a'), withSms(21), snapshot(22));
    const news = withSms(22);
    clock.pass(SECOND);
    expect(await store.orders.noteSeen([withSms(21), news], clock.now())).toEqual([news]);
    expect(await store.orders.find(ofAll, order(21))).toMatchObject({ asOf: clock.now() });
  });

  it('tells orders that have no number yet from those that have', async () => {
    const store = await open(oldCipher);
    await bought(
      store,
      draft('a'),
      snapshot(21, { phoneNumber: number }),
      snapshot(22, { phoneNumber: ' ' }),
    );
    expect(await store.orders.open()).toEqual([
      { id: 21, hasNumber: true },
      { id: 22, hasNumber: false },
    ]);
  });

  it('gives each follower what a webhook brought, as it came', async () => {
    const store = await open(oldCipher);
    await bought(store, draft('a'), snapshot(21));
    await receive(store, 21, smsEvent(21, 0, text));
    expect(await store.orders.messagesAfter(ofAll, 0, 9)).toMatchObject([{ message: text }]);
    expect(await store.orders.messagesOf(ofAll, [order(21)])).toMatchObject([{ message: text }]);
    expect(await everything()).not.toMatch(secrets);
  });
});
