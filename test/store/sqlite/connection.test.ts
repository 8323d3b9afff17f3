import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/connection.ts';

describe('a connection', () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'connection-'));
    file = join(directory, 'data', 'deeper', 'store.db');
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  const promises = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    busy_timeout: 5_000,
    journal_size_limit: 64 * 1024 * 1024,
    secure_delete: 1,
  };
  function settingsOf(database: Database.Database) {
    const read = (name: string): unknown => database.pragma(name, { simple: true });
    return Object.fromEntries(Object.keys(promises).map((name) => [name, read(name)]));
  }

  it('keeps its promises when new, after a write, and after each reopening', () => {
    for (let opening = 0; opening < 3; opening++) {
      const database = connect(file);
      expect(settingsOf(database)).toEqual(promises);
      database.exec('create table if not exists t (a); begin immediate; insert into t values (1); commit');
      expect(settingsOf(database)).toEqual(promises);
      database.close();
    }
  });

  it('makes directory and file for their owner alone, the log included', async () => {
    const database = connect(file);
    database.exec('create table t (a)');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(join(directory, 'data'))).toBe(0o700);
    expect(await modeOf(join(directory, 'data', 'deeper'))).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(await modeOf(`${file}${end}`)).toBe(0o600);
    database.close();
  });

  it('takes what was erased out of the bytes of the file', async () => {
    const database = connect(file);
    const secret = 'the-code-is-31337';
    database.exec('create table t (id integer primary key, a text)');
    database.prepare('insert into t (a) values (?)').run(secret);
    database.pragma('wal_checkpoint(truncate)');
    expect((await readFile(file)).includes(secret)).toBe(true);
    database.prepare('update t set a = null').run();
    database.pragma('wal_checkpoint(truncate)');
    expect((await readFile(file)).includes(secret)).toBe(false);
    database.close();
  });

  it('waits for another that is at a new file, as those are that start together', async () => {
    connect(file).close();
    const database = new Database(file);
    database.pragma('journal_mode = DELETE');
    database.close();
    const holder = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
       const database = new (require('better-sqlite3'))(workerData);
       database.exec('begin immediate');
       parentPort.postMessage('held');
       setTimeout(() => database.close(), 200);`,
      { eval: true, workerData: file },
    );
    await once(holder, 'message');
    const ended = once(holder, 'exit');
    const opened = connect(file);
    expect(opened.pragma('journal_mode', { simple: true })).toBe('wal');
    opened.close();
    await ended;
  });

  it('says where it cannot be opened', () => {
    expect(() => connect(directory)).toThrow(directory);
  });
});
