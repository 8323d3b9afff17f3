import { writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { parseKeyId } from '../../../../src/domain/ids.ts';
import { rupiah } from '../../../../src/domain/money.ts';
import { DAY, SECOND } from '../../../../src/domain/time.ts';
import { migrations } from '../../../../src/store/sqlite/migrations.ts';
import {
  alice,
  bought,
  byAlice,
  byShell,
  draft,
  job,
  order,
  prepared,
  receive,
  sms,
  smsEntry,
  smsEvent,
  snapshot,
} from '../../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake, known } from '../../../conformance/support/world.ts';
import { sqliteDatabase } from '../support/sqlite-database.ts';

// Writes fixtures/<newest migration>.sql: some rows of every table, as that migration's program keeps them. Run once
// with each new migration, by hand (npx tsx); what was written for an older one is kept for good.
const files = await sqliteDatabase();
const clock = fakeClock();
const store = await files.open({ clock, random: countingRandom(), wake: fakeWake() });

await store.keys.create(
  {
    id: known(parseKeyId('key')),
    hash: 'hash-of-key',
    caller: alice,
    scopes: ['BUYER', 'OPERATOR'],
    expiresAt: null,
    budgetLimit: rupiah(100_000),
  },
  byShell,
);
const product = known(snapshot(21).productId);
await store.seenProducts.remember([
  {
    id: product,
    catalogProductId: draft('a').catalogProductId,
    name: 'Telegram\0',
    countryId: null,
    platformId: null,
    operatorId: null,
    operatorName: null,
    available: 3,
    price: rupiah(4_000),
    active: true,
    asOf: clock.now(),
  },
]);
await bought(store, draft('a'), snapshot(21), snapshot(22));
clock.pass(SECOND);
await store.orders.record(snapshot(21, sms(0, 'Your code is 1\0')), clock.now());
await receive(store, 23, smsEvent(23, 0));
await store.actions.begin(order(22), 'CANCEL', 'token', SECOND, byAlice);
const refund = { refundAmount: rupiah(4_000), newBalance: rupiah(9_000) };
await store.actions.end(order(22), 'CANCEL', 'token', { kind: 'receipt', refund, resend: null });
await store.orders.record(snapshot(22, { status: 'CANCELED' }), clock.now());
await store.inbox.insert(smsEntry(21, 1));
const unclear = await prepared(store, draft('b'));
await store.attempts.settle(unclear, { kind: 'http-5xx', httpStatus: 502, retryAfterSeconds: null });
await store.attempts.settle(unclear, { kind: 'transport' });
await store.attempts.prepare(draft('c', { reviewThresholdAt: clock.now() }), 'token', byAlice);
await store.attempts.close(alice, job('job-c'), { orderIds: [], note: 'nothing was bought' }, byAlice);
await prepared(store, draft('d'));
await store.balances.record({ currency: 'IDR', amount: rupiah(9_000), asOf: clock.now() });
clock.pass(2 * DAY);
await store.statistics.sumDay(clock.now());
await store.check();

const newest = known(migrations.at(-1)).name;
await writeFile(new URL(`../fixtures/${newest}.sql`, import.meta.url), dump(files.file));
await files.drop();

function dump(file: string): string {
  const database = new Database(file);
  const tables = database
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migrations' order by rowid`,
    )
    .pluck()
    .all();
  const lines = tables.flatMap((table) => {
    const columns = database
      .prepare<[string], string>('select name from pragma_table_info(?)')
      .pluck()
      .all(table);
    const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `);
    const rows = database.prepare<[], string>(`select ${values} from ${table}`).pluck().all();
    return rows.map((row) => `insert or replace into ${table} (${columns.join(', ')}) values (${row});`);
  });
  database.close();
  return `${lines.join('\n')}\n`;
}
