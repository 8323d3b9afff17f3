import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWriter, type Writer } from '../../../src/store/sqlite/writer.ts';
import { StoreUnavailable } from '../../../src/store/unavailable.ts';
import { type FakeWake, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

describe('the writer', () => {
  let files: SqliteDatabase;
  let database: Database.Database;
  let statements: string[];
  let wake: FakeWake;
  let writer: Writer;

  beforeEach(async () => {
    files = await sqliteDatabase();
    statements = [];
    database = new Database(files.file, {
      timeout: 0,
      verbose: (statement) => statements.push(String(statement)),
    });
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    database.exec('create table t (n integer primary key); create table u (n integer references t (n))');
    wake = fakeWake();
    writer = createWriter(database, fakeClock(), wake);
    statements.length = 0;
  });
  afterEach(async () => {
    database.close();
    await files.drop();
  });

  const insert = (n: number) =>
    writer.write((unit) => {
      database.prepare('insert into t values (?)').run(n);
      unit.wake([`sms-of-all`]);
      return n;
    });
  const kept = () => database.prepare<[], number>('select n from t order by n').pluck().all();
  const commits = () => statements.filter((statement) => statement === 'commit').length;
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('commits all writes of a turn together, in their order', async () => {
    expect(await Promise.all(range(0, 64).map(insert))).toEqual(range(0, 64));
    expect(commits()).toBe(1);
    expect(kept()).toEqual(range(0, 64));
  });

  it('holds no more than 64 in one transaction', async () => {
    await Promise.all(range(0, 200).map(insert));
    expect(commits()).toBe(4);
    expect(kept()).toEqual(range(0, 200));
  });

  it('lets four commits of others go before a write behind them, and no more', async () => {
    const behind = writer
      .writeBehind(() => void database.prepare('insert into t values (5000)').run())
      .then(commits);
    await Promise.all(range(0, 12 * 64).map(insert));
    expect(await behind).toBe(5);
    expect(kept()).toEqual([...range(0, 12 * 64), 5000]);
  });

  it('does at once what is to be behind others, where there are none', async () => {
    await writer.writeBehind(() => void database.prepare('insert into t values (1)').run());
    expect(commits()).toBe(1);
  });

  it('begins at once for writing', async () => {
    await insert(1);
    expect(statements[0]).toBe('begin immediate');
  });

  it('lets one that throws fail alone', async () => {
    const failing = writer.write((unit) => {
      database.prepare('insert into t values (3)').run();
      unit.wake(['balance']);
      throw new RangeError('mine');
    });
    const results = await Promise.allSettled([insert(1), failing, insert(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(failing).rejects.toThrow(new RangeError('mine'));
    expect(commits()).toBe(1);
    expect(kept()).toEqual([1, 2]);
    expect(wake.take()).toEqual(['sms-of-all']);
  });

  it('takes savepoints only where one throws: each copies the pages that change', async () => {
    await Promise.all([insert(1), insert(2)]);
    expect(statements).not.toContain('savepoint step');
    await Promise.allSettled([insert(3), insert(3)]);
    expect(statements.filter((statement) => statement === 'savepoint step')).toHaveLength(2);
    expect(kept()).toEqual([1, 2, 3]);
  });

  it('announces once what ran twice', async () => {
    const announced: string[][] = [];
    const watched = createWriter(database, fakeClock(), {
      ...wake,
      announce: (keys) => announced.push([...keys]),
    });
    const good = watched.write((unit) => {
      database.prepare('insert into t values (1)').run();
      unit.wake(['inbox']);
    });
    const bad = watched.write(() => {
      throw new RangeError('mine');
    });
    await expect(bad).rejects.toThrow('mine');
    await good;
    expect(announced).toEqual([['inbox']]);
  });

  it('lets a violated constraint fail alone', async () => {
    const results = await Promise.allSettled([insert(1), insert(1), insert(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(kept()).toEqual([1, 2]);
  });

  it('undoes a savepoint alone, with its wakes', async () => {
    await writer.write((unit) => {
      database.prepare('insert into t values (1)').run();
      expect(() =>
        unit.savepoint(() => {
          database.prepare('insert into t values (2)').run();
          unit.wake(['balance']);
          throw new Error('inner');
        }),
      ).toThrow('inner');
      unit.wake(['inbox']);
    });
    expect(kept()).toEqual([1]);
    expect(wake.take()).toEqual(['inbox']);
  });

  it('tells nobody before the commit is done', async () => {
    const told: string[] = [];
    const watched = createWriter(database, fakeClock(), {
      ...wake,
      announce: () => told.push(`announced after ${commits()} commits`),
    });
    const written = watched
      .write((unit) => {
        database.prepare('insert into t values (1)').run();
        unit.wake(['inbox']);
        told.push(`ran after ${commits()} commits`);
      })
      .then(() => told.push(`resolved after ${commits()} commits`));
    await written;
    expect(told).toEqual(['ran after 0 commits', 'announced after 1 commits', 'resolved after 1 commits']);
  });

  it('fails all of a batch whose commit fails, and goes on with the next', async () => {
    const atCommit = writer.write(() => {
      database.pragma('defer_foreign_keys = ON');
      database.prepare('insert into u values (99)').run();
    });
    const results = await Promise.allSettled([insert(1), atCommit, insert(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(atCommit).rejects.toBeInstanceOf(StoreUnavailable);
    expect(kept()).toEqual([]);
    expect(wake.take()).toEqual([]);
    expect(database.inTransaction).toBe(false);
    await insert(3);
    expect(kept()).toEqual([3]);
  });

  it('says that the store is unavailable when the disk is full, and recovers by itself', async () => {
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${pages}`);
    const tooBig = writer.write(() => database.exec(`create table big2 as select zeroblob(100000) as a`));
    const results = await Promise.allSettled([tooBig, insert(1)]);
    expect(results[0]?.status).toBe('rejected');
    await expect(tooBig).rejects.toBeInstanceOf(StoreUnavailable);
    expect(database.inTransaction).toBe(false);
    database.pragma('max_page_count = 1000000');
    await insert(2);
    expect(kept()).toContain(2);
  });

  it('waits for another writer, for a while', async () => {
    const other = new Database(files.file);
    other.exec('begin immediate');
    const waiting = insert(1);
    await turn();
    other.exec('commit');
    expect(await waiting).toBe(1);
    other.exec('begin immediate');
    const first = insert(2);
    const more = range(100, 200).map(insert);
    await expect(first).rejects.toBeInstanceOf(StoreUnavailable);
    const results = await Promise.allSettled(more);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    other.exec('commit');
    expect(await insert(3)).toBe(3);
    expect(kept()).toEqual([1, 3]);
    other.close();
  });

  it('commits what waits when it closes, and refuses what comes after', async () => {
    const waiting = range(0, 100).map(insert);
    writer.close();
    expect(kept()).toEqual(range(0, 100));
    expect(await Promise.all(waiting)).toEqual(range(0, 100));
    await expect(insert(200)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
