import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptBackup, backUp, RestoredBackup } from '../../../src/store/sqlite/backup.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { testCipher } from '../../conformance/support/cipher.ts';
import { byAlice, draft } from '../../conformance/support/values.ts';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(file: string) {
  return openSqliteStore({
    file,
    clock: fakeClock(),
    random: countingRandom(),
    wake: fakeWake(),
    cipher: testCipher,
  });
}

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
