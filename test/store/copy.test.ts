import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { instant, SECOND } from '../../src/domain/time.ts';
import { copyStore } from '../../src/store/copy/copy-store.ts';
import { copiedTables } from '../../src/store/copy/tables.ts';
import { begun, delivery, deliveryId, told } from '../conformance/support/supplier-values.ts';
import {
  alice,
  bought,
  byAlice,
  draft,
  job,
  limit,
  made,
  ofAlice,
  ofAll,
  order,
  prepared,
  receive,
  smsEntry,
  smsEvent,
  snapshot,
} from '../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake, known } from '../conformance/support/world.ts';
import { type PostgresDatabase, usePostgres } from './postgres/support/postgres-database.ts';
import { findPostgres } from './postgres/support/services.ts';
import { type SqliteDatabase, sqliteDatabase } from './sqlite/support/sqlite-database.ts';

const server = findPostgres();
const environs = () => ({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });

describe.runIf(server !== null)('a copy from SQLite to PostgreSQL', () => {
  const create = usePostgres(server ?? '');
  let source: SqliteDatabase;
  let target: PostgresDatabase;
  beforeEach(async () => {
    source = await sqliteDatabase();
    target = await create();
  });
  afterEach(async () => {
    await source.drop();
    await target.drop();
  });

  const copy = (onProgress: (table: string, rows: number) => void = () => undefined) =>
    copyStore({ file: source.file, url: target.url, now: instant(0), onProgress });

  /** A store with something in every room, closed again. Texts that no database likes are among it. */
  async function fill(inboxRows = 5): Promise<string> {
    const { clock, ...rest } = environs();
    const store = await source.open({ clock, ...rest });
    await limit(store, alice, rupiah(900_000));
    await bought(store, draft('a'), snapshot(21, { phoneNumber: 'x\0\ud800' }), snapshot(22));
    await receive(store, 21, smsEvent(21, 3, ' <#> код 1\0\ud800 \\u0000 😀'));
    await store.attempts.settle(await prepared(store, draft('b')), { kind: 'transport' });
    const lost = await prepared(store, draft('c'));
    await store.attempts.settle({ ...lost, token: 'wrong' }, made(snapshot(30)));
    await receive(store, 40, smsEvent(40, 0));
    for (let revision = 0; revision < inboxRows; revision++) await store.inbox.insert(smsEntry(50, revision));
    await store.actions.begin(order(21), 'CANCEL', 'token', 60 * SECOND, byAlice);
    await store.balances.record({ currency: 'IDR', amount: draft('a').reserve, asOf: clock.now() });
    await store.supplier.beginPull({ id: 'p' }, SECOND, byAlice);
    await store.supplier.endPull({ id: 'p' }, alice, [told('SO'), told('SP')]);
    await store.supplier.beginPull({ id: 'q' }, SECOND, byAlice);
    await begun(store.supplier, delivery('d', 'SO'));
    await store.supplier.settleDelivery(deliveryId('d'), 'token', { kind: 'accepted' });
    await store.alerts.raise({ kind: 'LOW_BALANCE', subject: '', message: 'low\0' });
    await store.notebook.write('webhook-url', 'https://a.example/', byAlice);
    const secret = await store.cursorSecret();
    await store.close();
    return secret;
  }

  const open = () => target.open(environs());

  it('brings every row of every table, and says how many and of which sum', async () => {
    await fill();
    const copies = await copy();
    expect(copies.map(({ name }) => name).sort()).toEqual(copiedTables.map(({ name }) => name).sort());
    for (const { name, rows } of copies) {
      const kept = await target.query(`select count(*) as count from ${name}`);
      expect(kept, name).toEqual([{ count: rows }]);
    }
    const empty = copies.filter(({ rows }) => rows === 0).map(({ name }) => name);
    expect(empty.sort()).toEqual(['seen_products', 'supplier_slots']);
  });

  it('is read by the store as the first one was, and goes on counting behind it', async () => {
    const secret = await fill();
    const old = new Database(source.file, { readonly: true });
    const lastNumber = old.prepare(`select value from counters where name = 'sms'`).pluck().get();
    old.close();
    await copy();
    const store = await open();
    expect(await store.cursorSecret()).toBe(secret);
    expect(await store.orders.messages(ofAlice, order(21), -1, 9)).toMatchObject([
      { revision: 3, message: ' <#> код 1\0\ud800 \\u0000 😀' },
    ]);
    expect(await store.orders.find(ofAlice, order(21))).toMatchObject({ phoneNumber: 'x\0\ud800' });
    expect(await store.budgets.find(alice)).toMatchObject({ limit: 900_000, spent: 8_000 });
    expect((await store.supplier.deliveredLines(told('SO').id)).lines).toEqual(['d:1', 'd:2']);
    expect(await store.attempts.find(alice, job('job-a'))).toMatchObject({ attempt: { state: 'RESOLVED' } });
    expect(await store.inbox.pending(99)).toHaveLength(5);
    // Whatever counts by itself does not take a number twice.
    await bought(store, draft('new'), snapshot(60));
    await receive(store, 60, smsEvent(60, 0));
    const [news] = await store.orders.messages(ofAll, order(60), -1, 9);
    expect(known(news).sequence).toBeGreaterThan(Number(lastNumber));
    await store.supplier.beginPull({ id: 'r' }, SECOND, byAlice);
    await store.supplier.endPull({ id: 'r' }, alice, [told('SQ')]);
    expect(await store.supplier.lastClaimSequence()).toBe(3);
  });

  it('goes on where it was cut off', async () => {
    await fill(2_500);
    const cutOff = copy((table) => {
      if (table === 'inbox') throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    await expect(open()).rejects.toThrow(/not finished/);
    const parts: string[] = [];
    await copy((table, rows) => parts.push(`${table} ${rows}`));
    // The first thousand was there already, and counts; nothing before it is brought again.
    expect(parts[0]).toBe('inbox 2000');
    expect(parts.some((part) => part.startsWith('attempts'))).toBe(false);
    expect(await (await open()).inbox.pending(9_999)).toHaveLength(2_500);
  });

  it('begins anew when the file has changed since', async () => {
    await fill(2_500);
    await expect(
      copy((table) => {
        if (table === 'inbox') throw new Error('cut off');
      }),
    ).rejects.toThrow();
    const store = await source.open(environs());
    await store.inbox.insert(smsEntry(77, 0));
    await store.close();
    const parts: string[] = [];
    await copy((table) => parts.push(table));
    expect(parts).toContain('attempts');
    expect(await (await open()).inbox.pending(9_999)).toHaveLength(2_501);
  });

  it('refuses a file that a gateway runs on', async () => {
    await fill();
    const store = await source.open(environs());
    await expect(copy()).rejects.toThrow(/stop the gateway/);
    await store.close();
    await copy();
  });

  it('refuses a target that holds anything else, and takes one that was only prepared', async () => {
    await fill();
    const used = await open();
    await prepared(used, draft('other'));
    await used.close();
    await expect(copy()).rejects.toThrow(/not empty/);
    await target.empty();
    await (await open()).close();
    await copy();
  });

  it('refuses to copy twice: the target may have served since', async () => {
    await fill();
    await copy();
    await expect(copy()).rejects.toThrow(/already/);
  });

  it('finds a value that did not arrive as it was', async () => {
    await fill(1_500);
    // Connected before: else the copy may be compared before the spoiler has got through.
    await target.query('select 1');
    const spoiled = copy((table, rows) => {
      if (table === 'inbox' && rows === 1_000) {
        spoil = target.query(`update inbox set revision = 7 where id = 3`);
      }
    });
    let spoil: Promise<unknown> = Promise.resolve();
    await expect(spoiled).rejects.toThrow(/inbox is not alike/);
    await spoil;
    await expect(open()).rejects.toThrow(/not finished/);
  });

  it('leaves a file that no gateway serves from any more', async () => {
    await fill();
    await copy();
    await expect(source.open(environs())).rejects.toThrow(/backup/);
  });
});
