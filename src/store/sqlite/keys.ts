import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { MINUTE } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BudgetStore, KeyStore } from '../../ports/store/keys.ts';
import { keyFrom } from '../rows/key.ts';
import type { AuditBook } from './audit.ts';
import { type Base, parameter } from './base.ts';
import type { Books } from './books.ts';
import { apiKeys } from './tables.ts';
import { rowWriter } from './write-rows.ts';

/** How coarse the last use is: a write for each request would cost a commit for each request. */
const TOUCH_INTERVAL = MINUTE;

export function createKeyStore(
  base: Base,
  clock: Pick<Clock, 'now'>,
  books: Books,
  audit: AuditBook,
): KeyStore {
  const { database, db, writer } = base;
  const add = rowWriter(database, apiKeys, 'fail');
  const findByHash = db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare();
  const findById = db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();
  const findAll = db.select().from(apiKeys).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)).prepare();
  const markRevoked = db
    .update(apiKeys)
    .set({ revokedAt: parameter('at') })
    .where(and(eq(apiKeys.id, sql.placeholder('id')), isNull(apiKeys.revokedAt)))
    .prepare();
  const markUsed = db
    .update(apiKeys)
    .set({ lastUsedAt: parameter('at') })
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();

  return {
    create: ({ budgetLimit, scopes: held, ...key }, by) =>
      writer.write((unit) => {
        add({ ...key, scopes: held.join(' '), createdAt: unit.now });
        if (budgetLimit !== null) books.setLimit(key.caller, budgetLimit);
        audit.add(by, 'CREATE_KEY', key.id, unit.now);
        unit.wake(['keys']);
      }),
    async findByHash(hash) {
      const row = findByHash.get({ hash });
      return row === undefined ? null : keyFrom(row);
    },
    async list() {
      return findAll.all().map(keyFrom);
    },
    revoke: (id, by) =>
      writer.write((unit) => {
        if (findById.get({ id }) === undefined) return false;
        if (markRevoked.run({ id, at: unit.now }).changes > 0) audit.add(by, 'REVOKE_KEY', id, unit.now);
        unit.wake(['keys']);
        return true;
      }),
    async touch(id) {
      const row = findById.get({ id });
      if (row === undefined) return;
      if (row.lastUsedAt !== null && clock.now() < row.lastUsedAt + TOUCH_INTERVAL) return;
      await writer.write((unit) => {
        markUsed.run({ id, at: unit.now });
      });
    },
  };
}

export function createBudgetStore(books: Books): BudgetStore {
  return {
    async find(caller) {
      return books.of(caller);
    },
  };
}
