import { getTableColumns } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOfOrder } from '../../../src/store/sqlite/order-book.ts';
import { orders } from '../../../src/store/sqlite/tables.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

describe('the row of an order', () => {
  let files: SqliteDatabase;
  beforeEach(async () => {
    files = await sqliteDatabase();
    await files.open({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });
  });
  afterEach(() => files.drop());

  it('is rewritten without its place only where no index knows what else changes', async () => {
    const indexes = await files.query(
      `select group_concat(sql, '; ') as texts from sqlite_master where type = 'index' and tbl_name = 'orders'`,
    );
    const words = new Set(String(indexes[0]?.['texts']).match(/[a-z_]+/g));
    const indexed = Object.entries(getTableColumns(orders)).filter(([, { name }]) => words.has(name));
    expect(indexed.map(([key]) => key).sort()).toEqual(['id', ...placeOfOrder].sort());
  });
});
