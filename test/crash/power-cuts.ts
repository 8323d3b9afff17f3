import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CrashWorld, eventually, LEASE_OVER, openWorld } from './support/world.ts';

const CREATE = `mutation ($job: String!, $product: Int!) {
  createOrder(input: { businessJobId: $job, catalogProductId: $product }) { __typename }
}`;
const ATTEMPT = `query ($job: String!) {
  createAttempt(businessJobId: $job) { state sends idempotencyKey orders { id } }
}`;

/** What is on the disk, and nothing of what only the system knew, is all that a power cut leaves. */
export function powerCuts(): void {
  let world: CrashWorld;
  let elsewhere = '';

  beforeAll(async () => {
    world = await openWorld();
    elsewhere = mkdtempSync(join(tmpdir(), 'switchboard-'));
  });
  afterAll(async () => {
    await world.close();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  const create = (job: string) => world.ask(CREATE, { job, product: world.product });

  async function expectOneCharge(job: string): Promise<void> {
    const look = async () => (await world.ask(ATTEMPT, { job })).data.createAttempt;
    await eventually(look).toMatchObject({ state: 'RESOLVED' });
    const attempt = await look();
    expect(attempt.orders).toHaveLength(1);
    const { charges } = await world.ledger();
    expect(charges.filter((charge) => charge.idempotency_key === attempt.idempotencyKey)).toHaveLength(1);
  }

  /** The files as a disk holds them: the shared memory is none. */
  function copyTo(directory: string): void {
    for (const name of readdirSync(world.directory)) {
      if (!name.endsWith('-shm')) copyFileSync(join(world.directory, name), join(directory, name));
    }
  }

  test('the record of a send is on the disk before a byte leaves, and a torn tail behind it does no harm', async () => {
    await world.dieAt('numbers.sendPaid:before', () => create('cut'));
    copyTo(elsewhere);
    const log = join(elsewhere, 'switchboard.db-wal');
    // A later write that was on its way: half a page of it has come to lie behind the last commit.
    writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.alloc(2_100, 0x5a)]));

    const database = new Database(join(elsewhere, 'switchboard.db'), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.prepare('select state, sends from attempts').all()).toEqual([
      { state: 'SENDING', sends: 1 },
    ]);
    database.close();

    await world.comeBack(LEASE_OVER, { directory: elsewhere });
    await expectOneCharge('cut');
  });

  test('a backup that was taken in mid-send is replayed, and charges nothing twice', async () => {
    await world.control('faults', { kind: 'delay', ms: 300, match: { path: '/v1/orders/create' } });
    const left = world.tap.next('POST', '/v1/orders/create');
    const asking = create('backed up').catch(() => undefined);
    await left;
    const running = new Database(join(elsewhere, 'switchboard.db'), { readonly: true });
    const copy = join(elsewhere, 'restored');
    rmSync(copy, { recursive: true, force: true });
    const restored = mkdtempSync(`${copy}-`);
    await running.backup(join(restored, 'switchboard.db'));
    running.close();
    copyFileSync(join(elsewhere, 'encryption.key'), join(restored, 'encryption.key'));
    // The one that is backed up goes on, and is answered; the backup does not know.
    await asking;
    await expectOneCharge('backed up');
    world.gateway.signal('SIGKILL');

    await world.comeBack(LEASE_OVER, { directory: restored });
    expect((await world.ask(ATTEMPT, { job: 'backed up' })).data.createAttempt.sends).toBeGreaterThan(0);
    await expectOneCharge('backed up');
    expect(world.tap.requests.filter(({ path }) => path === '/v1/orders/create')).toHaveLength(3);
  });
}
