import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { migrations } from '../../../src/store/sqlite/migrations.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { alice, draft, job, prepared } from '../../conformance/support/values.ts';
import { countingRandom, fakeWake, known } from '../../conformance/support/world.ts';
import { runScript, type Script } from './support/run-script.ts';
import { type SqliteDatabase, sqliteDatabase } from './support/sqlite-database.ts';

/** One file, three processes and this one, from its first opening to the death of one of them: a start costs seconds. */
describe('several processes on one file', () => {
  let files: SqliteDatabase;
  let store: Store;
  let others: Script[] = [];

  beforeAll(async () => {
    files = await sqliteDatabase();
    others = ['1', '2', '3'].map((name) => runScript('work-on-store', files.file, name));
    for (const other of others) expect(await other.line()).toBe('ready');
    for (const other of others) other.tell('open');
    for (const other of others) expect(await other.line()).toBe('open');
    store = await files.open({ clock: systemClock, random: countingRandom(), wake: fakeWake() });
  });
  afterAll(async () => {
    for (const { process } of others) process.kill('SIGKILL');
    await Promise.all(others.map(({ ended }) => ended));
    await files.drop();
  });

  it('have migrated the new file once, though they started together', async () => {
    expect(await files.query('select version from schema_migrations')).toHaveLength(migrations.length);
  });

  it('share due attempts out, each to one', async () => {
    const all = Array.from({ length: 200 }, (_, index) => draft(String(index), { reserve: rupiah(1) }));
    await Promise.all(
      all.map(async (wish) => store.attempts.settle(await prepared(store, wish), { kind: 'transport' })),
    );
    await files.query('update attempts set next_attempt_at = 0, due_at = 0');
    for (const other of others) other.tell('race');
    const taken = await Promise.all(others.map(async (other) => Number(await other.line())));
    expect(taken.reduce((sum, count) => sum + count)).toBe(200);
    const sends = await files.query('select sends, count(*) as count from attempts group by sends');
    expect(sends).toEqual([{ sends: 2, count: 200 }]);
  });

  it('write at the same time without one refusal', async () => {
    for (const other of others) other.tell('insert');
    for (const other of others) expect(await other.line()).toBe('inserted');
    expect(await files.query('select count(*) as count from inbox')).toEqual([{ count: 900 }]);
  });

  it('find what one has committed that was killed the moment after', async () => {
    const victim = known(others[0]);
    victim.tell('prepare');
    expect(await victim.line()).toBe('fresh');
    victim.process.kill('SIGKILL');
    expect(await victim.ended).toBe('SIGKILL');
    const found = known(await store.attempts.find(alice, job('job-of-1')));
    expect(found.attempt).toMatchObject({ state: 'SENDING', sends: 1, reserved: 5_000 });
    const events = await store.attempts.events(found.attempt.id, 0);
    expect(events.map(({ state }) => state)).toEqual(['PREPARED', 'SENDING']);
  });

  it('close in peace', async () => {
    const living = others.slice(1);
    for (const other of living) other.tell('close');
    expect(await Promise.all(living.map(({ ended }) => ended))).toEqual([0, 0]);
  });
});
