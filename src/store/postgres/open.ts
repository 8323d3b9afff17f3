import type { AuditAct } from '../../domain/audit.ts';
import { instant } from '../../domain/time.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { NoteName } from '../../ports/store/alerts.ts';
import type { FurtherStores } from '../../ports/store/further.ts';
import type { Store } from '../../ports/store/store.ts';
import type { CarriedWake } from '../../ports/wake.ts';
import { createActionStore } from './actions.ts';
import { createAlertStore } from './alerts.ts';
import { createAttemptStore } from './attempts.ts';
import { addAudit, createAuditStore } from './audit.ts';
import { createBalanceStore } from './balances.ts';
import type { Base } from './base.ts';
import { connectAlone, openPool } from './connections.ts';
import { createDatabase } from './database.ts';
import { createEvidence } from './evidence.ts';
import { createInbox } from './inbox.ts';
import { createBudgetStore, createKeyStore } from './keys.ts';
import { type LockSpaces, lockSpacesOf } from './lock-spaces.ts';
import { migrate, refuseHalfCopied } from './migrate.ts';
import { migrations } from './migrations.ts';
import { createOrderStore } from './orders.ts';
import { createPresence } from './presence.ts';
import { createRetention } from './retention.ts';
import { createSeenProducts } from './seen-products.ts';
import { createSettings } from './settings.ts';
import { statement, wholeNumber } from './statements.ts';
import { createStatistics } from './statistics.ts';
import { createSupplierStore } from './supplier.ts';
import { createSupplierSlots } from './supplier-slots.ts';
import { keep, SERVER_NOW } from './transaction.ts';
import { createTurns } from './turns.ts';

/** Enough to keep a disk and some cores busy; ten instances of them fit into a server's usual hundred connections. */
const POOL_SIZE = 8;

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST/DATABASE`; its parameters are the driver's. */
  readonly url: string;
  /** Brings the news of commits to this process and to others. */
  readonly wake: CarriedWake;
  readonly random: Pick<Random, 'token'>;
  readonly cipher: Cipher;
  /** For waiting until the database is back; never for what the store calls now. */
  readonly timers: Pick<Clock, 'sleep'>;
  /** Stands for the server's own clock, in tests. */
  readonly clock?: Pick<Clock, 'now'>;
  readonly poolSize?: number;
}

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws SchemaMismatch when the database is newer than the program, of another one, or not wholly copied.
 * @throws Error of the driver's when the database cannot be reached or does not let this user in.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store & FurtherStores> {
  const { url, wake, random, cipher, timers } = options;
  const clock = options.clock ?? null;
  const spaces = await prepared(url);
  const pool = openPool({ url, poolSize: options.poolSize ?? POOL_SIZE });
  const database = createDatabase({ pool, wake, clock, timers });
  const base: Base = { database, at: () => clock?.now() ?? null, spaces };
  const settings = createSettings(database);
  try {
    await settings.putIfAbsent('cursor-secret', random.token());
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    attempts: createAttemptStore(base),
    orders: createOrderStore(base),
    actions: createActionStore(base),
    inbox: createInbox(base),
    keys: createKeyStore(base),
    budgets: createBudgetStore(base),
    seenProducts: createSeenProducts(base),
    balances: createBalanceStore(base),
    alerts: createAlertStore(base, random),
    notebook: {
      read: (name) => settings.find(noteName(name)),
      write: (name, value, by) =>
        database.write(async (tx) => {
          settings.save(tx, noteName(name), value);
          addAudit(tx, by, NOTED_ACTS[name], value, await tx.now());
          return keep(() => undefined);
        }),
    },
    audit: createAuditStore(base),
    evidence: createEvidence(base),
    statistics: createStatistics(base),
    retention: createRetention(base, url),
    supplier: createSupplierStore(base, cipher),
    supplierSlots: createSupplierSlots(base),
    turns: createTurns(base),
    presence: createPresence(base),
    async now() {
      if (clock !== null) return clock.now();
      const [now] = await database.read(findNow, []);
      return instant(now ?? Number.NaN);
    },
    async cursorSecret() {
      const secret = await settings.find('cursor-secret');
      if (secret === null) throw new Error('the database has no cursor secret');
      return secret;
    },
    // Its log is the server's own, and its operator's to watch.
    logBytes: async () => null,
    // A write that is really committed: only that finds out about a full disk, or a server that has become a standby.
    check: () => settings.put('last-check', 'ok'),
    close: () => database.close(),
  };
}

const findNow = statement(`select ${SERVER_NOW}`, ([now]) => wholeNumber(now));

/** Migrates, and tells the name spaces of this schema's locks. */
async function prepared(url: string): Promise<LockSpaces> {
  const client = await connectAlone(url);
  try {
    await migrate(client, migrations);
    await refuseHalfCopied(client);
    const { rows } = await client.query<[unknown]>({ text: 'select current_schema()', rowMode: 'array' });
    return lockSpacesOf(String(rows[0]?.[0]));
  } finally {
    await client.end();
  }
}

const NOTED_ACTS = { 'webhook-url': 'CONNECT_WEBHOOK' } as const satisfies Record<NoteName, AuditAct>;

/** Apart from what the database keeps about itself. */
function noteName(name: NoteName): string {
  return `note:${name}`;
}
