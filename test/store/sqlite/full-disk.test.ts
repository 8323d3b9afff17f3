import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createAuditBook } from '../../../src/store/sqlite/audit.ts';
import type { Base } from '../../../src/store/sqlite/base.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { createInbox } from '../../../src/store/sqlite/inbox.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { migrations } from '../../../src/store/sqlite/migrations.ts';
import { createWriter } from '../../../src/store/sqlite/writer.ts';
import { StoreUnavailable } from '../../../src/store/unavailable.ts';
import { smsEntry, smsEvent } from '../../conformance/support/values.ts';
import { fakeClock, fakeWake, known } from '../../conformance/support/world.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';

describe('a full disk', () => {
  it('uses up no try of a webhook that cannot be worked off', async () => {
    const files = await sqliteDatabase();
    const database = connect(files.file);
    const clock = fakeClock();
    migrate(database, migrations, clock.now());
    const writer = createWriter(database, clock, fakeWake());
    const base: Base = { database, db: drizzle(database), writer };
    const full = () => {
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    };
    const inbox = createInbox(
      base,
      clock,
      { load: () => null, ofAttempt: () => [], merge: full },
      createAuditBook(base),
    );

    await inbox.insert(smsEntry(21, 0));
    const record = known((await inbox.pending(1))[0]);
    await expect(inbox.apply([{ record, event: smsEvent(21, 0) }])).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await inbox.pending(1)).toEqual([record]);

    database.close();
    await files.drop();
  });
});
