import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { smsEntry } from '../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

const MEBIBYTE = 1024 * 1024;
const LIMIT = 64 * MEBIBYTE;
const BODY = Buffer.alloc(MEBIBYTE, 'x');

let database: SqliteDatabase;
beforeEach(async () => {
  database = await sqliteDatabase();
});
afterEach(() => database.drop());

it('a reader that will not end lets the log grow; it is cut back to its limit once that has ended', async () => {
  const store = await database.open({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });
  const size = (): number => statSync(`${database.file}-wal`).size;
  const insert = (revision: number) => store.inbox.insert({ ...smsEntry(1, revision), body: BODY });
  const reader = new Database(database.file, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from inbox').get();
  let revision = 0;
  while (size() <= LIMIT) await insert(revision++);
  expect(await store.logBytes()).toBe(size());

  // As long as it reads, nothing can be cut: what it has seen must stay.
  await insert(revision++);
  expect(size()).toBeGreaterThan(LIMIT);
  reader.exec('commit');
  reader.close();
  // One commit brings the log home, the next begins it anew.
  await insert(revision++);
  await insert(revision++);
  expect(size()).toBeLessThanOrEqual(LIMIT);
});
