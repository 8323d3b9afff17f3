import { statSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { AuditAct } from '../../domain/audit.ts';
import { formatInstant, instant } from '../../domain/time.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { NoteName } from '../../ports/store/alerts.ts';
import type { FurtherStores } from '../../ports/store/further.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Wake } from '../../ports/wake.ts';
import { createActionStore } from './actions.ts';
import { createAlertStore } from './alerts.ts';
import { createAttemptBook } from './attempt-book.ts';
import { createAttemptStore } from './attempts.ts';
import { createAuditBook, createAuditStore } from './audit.ts';
import { BACKUP_MARK, RestoredBackup } from './backup.ts';
import { createBalanceStore } from './balances.ts';
import type { Base } from './base.ts';
import { createBooks } from './books.ts';
import { connect } from './connection.ts';
import { createEvidence } from './evidence.ts';
import { createInbox } from './inbox.ts';
import { createBudgetStore, createKeyStore } from './keys.ts';
import { createListTotals } from './list-totals.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { createOrderBook } from './order-book.ts';
import { createOrderFacts } from './order-facts.ts';
import { createOrderStore } from './orders.ts';
import { createPresence } from './presence.ts';
import { createRetention } from './retention.ts';
import { createSeenProducts } from './seen-products.ts';
import { createStatistics } from './statistics.ts';
import { createSupplierStore } from './supplier.ts';
import { createSupplierSlots } from './supplier-slots.ts';
import { settings } from './tables.ts';
import { MARKED_EVERY, readTideMark, TIDE_MARK, writeTideMark } from './tide-mark.ts';
import { createTurns } from './turns.ts';
import { watchOthers } from './watch.ts';
import { rowWriter } from './write-rows.ts';
import { createWriter } from './writer.ts';

export interface SqliteOptions {
  /** Made where it is missing, with its directory, for its owner alone. */
  readonly file: string;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly random: Pick<Random, 'token'>;
  readonly wake: Wake;
  readonly cipher: Cipher;
}

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws SchemaMismatch when the database is newer than the program or of another one.
 * @throws RestoredBackup when it is a backup that nobody has accepted.
 * @throws Error of SQLite's or the system's when the file cannot be opened or written.
 */
export async function openSqliteStore({
  file,
  clock,
  random,
  wake,
  cipher,
}: SqliteOptions): Promise<Store & FurtherStores> {
  const database = connect(file);
  try {
    migrate(database, migrations, clock.now());
    const base: Base = {
      database,
      db: drizzle(database),
      writer: createWriter(database, clock, wake),
    };
    const audit = createAuditBook(base);
    const books = createBooks(base);
    const facts = createOrderFacts(base);
    const orderTotals = createListTotals(base, 'orders');
    const attemptTotals = createListTotals(base, 'attempts');
    const orderBook = createOrderBook({ base, books, facts, totals: orderTotals });
    const attemptBook = createAttemptBook({ base, books, facts, totals: attemptTotals });
    const own = createSettings(base);
    const madeAt = own.find(BACKUP_MARK);
    if (madeAt !== null) throw new RestoredBackup(madeAt);
    const tide = Number(own.find(TIDE_MARK) ?? 0);
    if ((readTideMark(file) ?? 0) > tide) throw new RestoredBackup(formatInstant(instant(tide)));
    const rise = async (): Promise<void> => {
      // By the writer's clock, and above what was there: a clock set back must not make the database look old.
      const mark = await base.writer.write(({ now }) => {
        const next = Math.max(now, Number(own.find(TIDE_MARK) ?? 0) + 1);
        own.save(TIDE_MARK, String(next));
        return next;
      });
      writeTideMark(file, mark);
    };
    // On a full disk it rises later; nothing else depends on it.
    const riseIfPossible = (): Promise<void> => rise().catch(() => undefined);
    await riseIfPossible();
    let stopRising: () => void = () => undefined;
    const riseLater = (): void => {
      stopRising = clock.after(MARKED_EVERY, () => void riseIfPossible().then(riseLater));
    };
    riseLater();
    await own.putIfAbsent('cursor-secret', random.token());
    const endWatch = watchOthers(database, clock, wake);

    return {
      attempts: createAttemptStore({
        base,
        clock,
        attemptBook,
        audit,
        orderBook,
        books,
        totals: attemptTotals,
      }),
      orders: createOrderStore(base, orderBook, orderTotals),
      actions: createActionStore(base, books, audit),
      inbox: createInbox(base, clock, orderBook, audit),
      keys: createKeyStore(base, clock, books, audit),
      budgets: createBudgetStore(books),
      seenProducts: createSeenProducts(base),
      balances: createBalanceStore(base),
      alerts: createAlertStore(base, random),
      notebook: {
        read: async (name) => own.find(noteName(name)),
        write: (name, value, by) =>
          base.writer.write(({ now }) => {
            own.save(noteName(name), value);
            audit.add(by, NOTED_ACTS[name], value, now);
          }),
      },
      audit: createAuditStore(base),
      evidence: createEvidence(base),
      statistics: createStatistics(base, facts),
      retention: createRetention(base),
      supplier: createSupplierStore(base, clock, cipher, audit),
      supplierSlots: createSupplierSlots(base),
      turns: createTurns(base),
      presence: createPresence(base),
      async now() {
        return clock.now();
      },
      async cursorSecret() {
        return own.get('cursor-secret');
      },
      logBytes: async () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      // A write that is really committed: only that finds out about a full disk.
      check: () => own.put('last-check', String(clock.now())),
      async close() {
        endWatch();
        stopRising();
        base.writer.close();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function createSettings({ database, db, writer }: Base) {
  const save = rowWriter(database, settings, { replaceBy: ['name'] });
  const saveIfAbsent = rowWriter(database, settings, 'ignore');
  return {
    /** To be used inside of a write alone. */
    save: (name: string, value: string): void => void save({ name, value }),
    put: (name: string, value: string) => writer.write(() => void save({ name, value })),
    putIfAbsent: (name: string, value: string) => writer.write(() => void saveIfAbsent({ name, value })),
    find,
    get(name: string): string {
      const value = find(name);
      if (value === null) throw new Error(`the database has no setting ${name}`);
      return value;
    },
  };

  function find(name: string): string | null {
    const row = db.select().from(settings).where(eq(settings.name, name)).get();
    return row === undefined ? null : row.value;
  }
}

const NOTED_ACTS = { 'webhook-url': 'CONNECT_WEBHOOK' } as const satisfies Record<NoteName, AuditAct>;

/** Apart from what the database keeps about itself. */
function noteName(name: NoteName): string {
  return `note:${name}`;
}
