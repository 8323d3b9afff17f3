import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { forgetTideMark } from '../../src/store/sqlite/tide-mark.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { createFakeClock, settled } from '../support/fake-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Footing, Land } from './ground.ts';
import { openInspector } from './inspector.ts';
import { type RawRow, textOfRow } from './raw-rows.ts';

/** Memory where the system has some as a directory: each commit waits for the disk. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A file, and beside it another that is as it was when it was made. */
export async function landInSqlite(): Promise<Land> {
  const directory = mkdtempSync(join(parent, 'simulator-'));
  const file = join(directory, 'store.db');
  const origin = join(directory, 'origin.db');
  const first = await openStore(file, {
    now: createFakeClock().now,
    random: seededRandom(0),
    wake: createInProcessWake(() => undefined),
  });
  await first.close();
  letAuditBeReset(file);
  copyFileSync(file, origin);
  const resetting = openReset(file, origin);
  return {
    openStore: (footing) => openStore(file, footing),
    openInspector: async () => openInspector(file),
    settle: settled,
    count: (port) => port,
    rows: async () => resetting.rows(),
    reset: async () => resetting.run(),
    async leave() {
      resetting.close();
      rmSync(directory, { recursive: true });
    },
  };
}

function openStore(file: string, { now, random, wake }: Footing) {
  return openSqliteStore({
    file,
    // What it would see of other processes is told by the simulator.
    clock: { now, after: () => () => undefined },
    random,
    wake: { ...wake, listen: () => () => undefined },
    cipher: testCipher,
  });
}

/** That the audit is only added to is the store's own test. */
function letAuditBeReset(file: string): void {
  const database = new Database(file);
  database.exec('drop trigger audit_is_not_changed; drop trigger audit_is_not_erased');
  database.close();
}

/** Puts every row back, and the counters of ids: no history must know how many there were before it. */
function openReset(file: string, origin: string) {
  const database = new Database(file);
  database.pragma('foreign_keys = off');
  database.exec(`attach '${origin}' as origin`);
  const tables = database
    .prepare<[], string>(`select name from main.sqlite_schema where type = 'table' order by name`)
    .pluck()
    .all();
  const statements = tables.map(
    (table) => `delete from main."${table}"; insert into main."${table}" select * from origin."${table}"`,
  );
  return {
    run() {
      database.exec(`begin immediate; ${statements.join('; ')}; commit`);
      // It is an older copy now, and is meant to be.
      forgetTideMark(file);
    },
    rows: () =>
      tables.flatMap((table) =>
        database
          .prepare<[], RawRow>(`select * from main."${table}"`)
          .all()
          .map((row) => textOfRow(table, row))
          .sort(),
      ),
    close: () => void database.close(),
  };
}
