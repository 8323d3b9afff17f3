import { emptyBudget } from '../../domain/budget/budget.ts';
import { MINUTE } from '../../domain/time.ts';
import type { BudgetStore, KeyStore } from '../../ports/store/keys.ts';
import { budgetFrom } from '../rows/book-line.ts';
import { keyFrom } from '../rows/key.ts';
import { addAudit } from './audit.ts';
import { type Base, time } from './base.ts';
import { command, insertInto, select, statement } from './statements.ts';
import { apiKeys, budgets } from './tables.ts';
import { keep, leave } from './transaction.ts';

/** How coarse the last use is: a write for each request would cost a commit for each request. */
const TOUCH_INTERVAL = MINUTE;

const addKey = insertInto(apiKeys);
const findByHash = select(apiKeys, 'where hash = $1');
const findById = select(apiKeys, 'where id = $1');
const findAll = select(apiKeys, 'order by created_at, id');
const markRevoked = statement(
  'update api_keys set revoked_at = $2 where id = $1 and revoked_at is null returning id',
  ([id]) => String(id),
);
const isTouchable = `id = $1 and (last_used_at is null or last_used_at <= ${time(2)} - ${TOUCH_INTERVAL})`;
const findTouchable = select(apiKeys, `where ${isTouchable}`);
const touchKey = command(`update api_keys set last_used_at = ${time(2)} where ${isTouchable}`);
const setLimit = command(
  `insert into budgets (caller, spending_limit, spent, reserved) values ($1, $2, 0, 0)
   on conflict (caller) do update set spending_limit = excluded.spending_limit`,
);
const findBudget = select(budgets, 'where caller = $1');

export function createKeyStore({ database, at }: Base): KeyStore {
  return {
    create: ({ budgetLimit, scopes, ...key }, by) =>
      database.write<void>(async (tx) => {
        const [[known], now] = await Promise.all([tx.rows(findById, [key.id]), tx.now()]);
        if (tx.mayBeKept && known?.hash === key.hash) return leave(undefined);
        tx.send(addKey, addKey.values([{ ...key, scopes: scopes.join(' '), createdAt: now }]));
        if (budgetLimit !== null) tx.send(setLimit, [key.caller, budgetLimit]);
        addAudit(tx, by, 'CREATE_KEY', key.id, now);
        tx.wake(['keys']);
        return keep(() => undefined);
      }),
    async findByHash(hash) {
      const [row] = await database.read(findByHash, [hash]);
      return row === undefined ? null : keyFrom(row);
    },
    async list() {
      return (await database.read(findAll, [])).map(keyFrom);
    },
    revoke: (id, by) =>
      database.write(async (tx) => {
        const [[known], now] = await Promise.all([tx.rows(findById, [id]), tx.now()]);
        if (known === undefined) return leave(false);
        if ((await tx.rows(markRevoked, [id, now])).length > 0) addAudit(tx, by, 'REVOKE_KEY', id, now);
        tx.wake(['keys']);
        return keep(() => true);
      }),
    async touch(id) {
      // Asked outside of a transaction: nearly every use is within the minute of another.
      if ((await database.read(findTouchable, [id, at()])).length === 0) return;
      await database.write(async (tx) => {
        tx.needNotLast();
        tx.send(touchKey, [id, at()]);
        return keep(() => undefined);
      });
    },
  };
}

export function createBudgetStore({ database }: Base): BudgetStore {
  return {
    async find(caller) {
      const [row] = await database.read(findBudget, [caller]);
      return row === undefined ? emptyBudget : budgetFrom(row);
    },
  };
}
