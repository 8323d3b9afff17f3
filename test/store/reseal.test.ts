import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAesCipher, createPlainCipher } from '../../src/aes-cipher.ts';
import { instant, SECOND } from '../../src/domain/time.ts';
import type { Cipher } from '../../src/ports/cipher.ts';
import { postgresRows } from '../../src/store/reseal/postgres-rows.ts';
import { resealStore } from '../../src/store/reseal/reseal-store.ts';
import { sqliteRows } from '../../src/store/reseal/sqlite-rows.ts';
import type { SealedRows } from '../../src/store/reseal/statements.ts';
import { sealedStore } from '../../src/store/sealed-store.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import type { TestDatabase, WholeStore } from '../conformance/support/database.ts';
import { begun, delivery, told } from '../conformance/support/supplier-values.ts';
import {
  alice,
  bought,
  byAlice,
  draft,
  made,
  ofAll,
  order,
  prepared,
  receive,
  smsEntry,
  smsEvent,
  snapshot,
} from '../conformance/support/values.ts';
import { countingRandom, type FakeClock, fakeClock, fakeWake, known } from '../conformance/support/world.ts';
import { usePostgres } from './postgres/support/postgres-database.ts';
import { findPostgres } from './postgres/support/services.ts';
import { sqliteDatabase } from './sqlite/support/sqlite-database.ts';

const server = findPostgres();

/** The test's databases seal lines with the key of testCipher themselves. */
const oldKey = createSecretKey(Buffer.alloc(32, 7));
const newKey = createSecretKey(Buffer.alloc(32, 2));
const rotated = createAesCipher([newKey, oldKey]);
const onlyNew = createAesCipher([newKey]);
/** What a sealed text and a sealed webhook begin with. */
const MARK = 'sealed:'.length;
const text = 'Your code is 424242 \ud800 \\u0000 \0';
const number = '+628110004242';

interface World {
  readonly database: TestDatabase;
  rows(): Promise<SealedRows>;
}

describe('sealing anew on SQLite', () => {
  describeSealing(async () => {
    const database = await sqliteDatabase();
    return { database, rows: async () => sqliteRows(database.file, instant(0)) };
  });
});

describe.runIf(server !== null)('sealing anew on PostgreSQL', () => {
  const create = usePostgres(server ?? '');
  describeSealing(async () => {
    const database = await create();
    return { database, rows: () => postgresRows(database.url) };
  });
});

function describeSealing(open: () => Promise<World>): void {
  let world: World;
  let clock: FakeClock;
  beforeEach(async () => {
    world = await open();
    clock = fakeClock();
  });
  afterEach(() => world.database.drop());

  const plainly = (): Promise<WholeStore> =>
    world.database.open({ clock, random: countingRandom(), wake: fakeWake() });
  const storeOf = async (cipher: Cipher): Promise<WholeStore> => sealedStore(await plainly(), cipher, 0);

  /** Something in every place that is sealed. */
  async function fill(store: WholeStore): Promise<void> {
    const evidence = (revision: number) => ({ revision, message: text, otpCode: '424242' });
    await bought(store, draft('a'), snapshot(21, { phoneNumber: number, evidence: evidence(0) }));
    await receive(store, 21, smsEvent(21, 3, text));
    const late = await prepared(store, draft('b'));
    clock.pass(60 * SECOND);
    await store.attempts.take(late.attemptId, 'other');
    await store.attempts.settle(late, made(snapshot(22, { phoneNumber: number, evidence: evidence(1) })));
    await store.inbox.insert({ ...smsEntry(50, 1), body: Buffer.from('{"message":"424242"}') });
    await store.supplier.beginPull({ id: 'p' }, SECOND, byAlice);
    await store.supplier.endPull({ id: 'p' }, alice, [told('SO')]);
    await begun(store.supplier, delivery('d', 'SO'));
  }

  async function reseal(cipher: Cipher, change: (rows: SealedRows) => SealedRows = (rows) => rows) {
    const rows = await world.rows();
    const progress: string[] = [];
    try {
      const done = await resealStore(change(rows), cipher, (table, looked, of, sealed) =>
        progress.push(`${table} ${looked}/${of} ${sealed}`),
      );
      return { ...done, progress };
    } finally {
      await rows.close();
    }
  }

  /** As a program reads it that knows the new key alone. */
  async function expectReadable(): Promise<void> {
    const store = await storeOf(onlyNew);
    expect(known(await store.orders.find(ofAll, order(21)))).toMatchObject({ phoneNumber: number });
    const messages = await store.orders.messages(ofAll, order(21), -1, 9);
    expect(messages.map((message) => [message.revision, message.message])).toEqual([
      [0, text],
      [3, text],
    ]);
    const bodies = await world.database.query('select body from inbox order by id');
    expect(
      bodies.map(({ body }) => Buffer.isBuffer(body) && onlyNew.openBytes(body.subarray(MARK)).toString()),
    ).toContain('{"message":"424242"}');
    const [kept] = await world.database.query('select body from supplier_deliveries');
    expect(Buffer.isBuffer(kept?.['body']) && onlyNew.open(kept['body'])).toContain('accounts');
    const [late] = await world.database.query('select reply from attempt_evidence');
    const sealed = String(late?.['reply']).match(/sealed:[A-Za-z0-9+/=]+/g) ?? [];
    expect(sealed).toHaveLength(3);
    for (const one of sealed) expect(onlyNew.isCurrent(Buffer.from(one.slice(MARK), 'base64'))).toBe(true);
    await store.close();
  }

  it('leaves nothing that the old key is needed for, tells how far it is, and finds nothing to do after that', async () => {
    await fill(await storeOf(testCipher));
    const { rows, unreadable, progress } = await reseal(rotated);
    expect([rows, unreadable]).toEqual([7, 0]);
    expect(progress.slice(0, 5)).toEqual([
      'orders 1/1 1',
      'sms_revisions 2/2 2',
      'inbox 2/2 2',
      'supplier_deliveries 1/1 1',
      'attempt_evidence 1/1 1',
    ]);
    await expectReadable();
    expect(await reseal(onlyNew)).toMatchObject({ rows: 0, unreadable: 0 });
  });

  it('seals what no key has sealed so far', async () => {
    await fill(await storeOf(createPlainCipher()));
    await reseal(rotated);
    await expectReadable();
  });

  it('seals a text as a store would that takes it in again: no message is in conflict with itself', async () => {
    const store = await storeOf(testCipher);
    await fill(store);
    await reseal(rotated);
    const renewed = await storeOf(onlyNew);
    const again = snapshot(21, { evidence: { revision: 3, message: text, otpCode: null } });
    expect(await renewed.orders.record(again, clock.now())).toMatchObject({ news: null, conflict: false });
    const [raw] = await world.database.query('select otp_message from orders where id = 21');
    const [same] = await world.database.query(
      'select message from sms_revisions where order_id = 21 and revision = 3',
    );
    expect(raw?.['otp_message']).toBe(same?.['message']);
  });

  it('goes on where it was cut off', async () => {
    await fill(await storeOf(testCipher));
    let commits = 0;
    const dying = (rows: SealedRows): SealedRows => ({
      ...rows,
      async replace(table, changes) {
        if (commits++ === 2) throw new Error('killed');
        return rows.replace(table, changes);
      },
    });
    await expect(reseal(rotated, dying)).rejects.toThrow('killed');
    expect((await reseal(rotated)).rows).toBe(4);
    await expectReadable();
  });

  it('leaves a row alone that was changed meanwhile, and comes back to it', async () => {
    const store = await storeOf(testCipher);
    await fill(store);
    let isChanged = false;
    const racing = (rows: SealedRows): SealedRows => ({
      ...rows,
      async replace(table, changes) {
        if (!isChanged) {
          isChanged = true;
          await receive(store, 21, smsEvent(21, 9, 'newer'));
        }
        return rows.replace(table, changes);
      },
    });
    await reseal(rotated, racing);
    const renewed = await storeOf(onlyNew);
    expect(await renewed.orders.find(ofAll, order(21))).toMatchObject({
      otpMessage: 'newer',
      phoneNumber: number,
    });
  });

  it('gives up where somebody goes on sealing with the old key', async () => {
    const store = await storeOf(testCipher);
    await fill(store);
    let revision = 100;
    const busy = (rows: SealedRows): SealedRows => ({
      ...rows,
      async rowsAfter(table, last, limit) {
        if (table.name === 'orders' && last === null) await store.inbox.insert(smsEntry(60, revision++));
        return rows.rowsAfter(table, last, limit);
      },
    });
    await expect(reseal(rotated, busy)).rejects.toThrow(/restart every instance/);
  });

  it('names what no key opens, leaves it, and does the rest', async () => {
    await fill(await storeOf(testCipher));
    const foreign = await storeOf(createAesCipher([createSecretKey(Buffer.alloc(32, 9))]));
    await foreign.inbox.insert(smsEntry(70, 1));
    const done = await reseal(rotated);
    expect(done.rows).toBe(7);
    expect([done.unreadable, done.named.length]).toEqual([1, 1]);
    expect(done.named[0]).toMatch(/^inbox \d+$/);
  });
}
