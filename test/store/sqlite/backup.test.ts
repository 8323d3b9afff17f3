import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/domain/time.ts';
import { acceptBackup, backUp, RestoredBackup } from '../../../src/store/sqlite/backup.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { testCipher } from '../../conformance/support/cipher.ts';
import { byAlice, draft } from '../../conformance/support/values.ts';
import { countingRandom, type FakeClock, fakeClock, fakeWake } from '../../conformance/support/world.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(file: string, clock: FakeClock = fakeClock()) {
  return openSqliteStore({
    file,
    clock,
    random: countingRandom(),
    wake: fakeWake(),
    cipher: testCipher,
  });
}

describe('a plain copy of the files, put back', () => {
  /** As `cp` makes it, log included, and as it is copied back over what was written meanwhile. */
  const files = (from: string, to: string): void => {
    for (const end of ['', '-wal']) copyFileSync(`${from}${end}`, `${to}${end}`);
    rmSync(`${to}-shm`, { force: true });
  };

  /** A job before the copy, a minute, and one after it; then the copy lies in the database's place. */
  async function putBack() {
    const file = join(directory, 'store.db');
    const clock = fakeClock();
    const store = await open(file, clock);
    const before = draft('before');
    await store.attempts.prepare(before, 'token', byAlice);
    files(file, join(directory, 'yesterday.db'));
    clock.pass(MINUTE);
    const after = draft('after');
    await store.attempts.prepare(after, 'token', byAlice);
    await store.close();
    files(join(directory, 'yesterday.db'), file);
    return { file, before, after };
  }

  it('is noticed, served from only once it was accepted, and charges nothing again that it knows', async () => {
    const { file, before, after } = await putBack();
    await expect(open(file)).rejects.toThrow(RestoredBackup);
    await expect(open(file)).rejects.toThrow(/older copy, as of 2026-09-02T06:40:00\.000Z.*accept-backup/);
    expect(acceptBackup(file)).toBe(true);
    expect(acceptBackup(file)).toBe(false);
    const restored = await open(file);
    expect((await restored.attempts.prepare(before, 'other', byAlice)).kind).toBe('known');
    expect(await restored.attempts.find(after.caller, after.businessJobId)).toBeNull();
    await restored.close();
    await (await open(file)).close();
  });

  it('is no reason to refuse a database that was only started again, by several, or by a clock set back', async () => {
    const file = join(directory, 'store.db');
    const clock = fakeClock();
    const first = await open(file, clock);
    const second = await open(file, clock);
    clock.pass(10 * MINUTE);
    await first.close();
    clock.pass(-60 * MINUTE);
    await second.close();
    for (let start = 0; start < 3; start++) await (await open(file, clock)).close();
  });

  it.each(['', 'no number', '1e999'])('is not seen in a mark that cannot be read: %j', async (mark) => {
    const { file } = await putBack();
    writeFileSync(`${file}.mark`, mark);
    await (await open(file)).close();
  });
});

describe('a backup', () => {
  it('is a copy of a database in use, served from only once it was accepted, and knows the jobs before it', async () => {
    const file = join(directory, 'store.db');
    const copy = join(directory, 'copy.db');
    const store = await open(file);
    const before = draft('before');
    await store.attempts.prepare(before, 'token', byAlice);
    backUp(file, copy, fakeClock().now());
    const after = draft('after');
    await store.attempts.prepare(after, 'token', byAlice);
    await store.close();

    await expect(open(copy)).rejects.toThrow(RestoredBackup);
    await expect(open(copy)).rejects.toThrow(/2026-09-02T06:40:00\.000Z.*accept-backup/);
    expect(acceptBackup(copy)).toBe(true);
    expect(acceptBackup(copy)).toBe(false);

    const restored = await open(copy);
    // The job is bound to its key and bytes: a replay is the same request, and charges nothing again.
    expect((await restored.attempts.prepare(before, 'other', byAlice)).kind).toBe('known');
    expect(await restored.attempts.find(after.caller, after.businessJobId)).toBeNull();
    await restored.close();
  });

  it('never takes the place of a file that is there', async () => {
    const file = join(directory, 'store.db');
    const store = await open(file);
    expect(() => backUp(file, file, fakeClock().now())).toThrow(/is there already/);
    await store.close();
  });
});
