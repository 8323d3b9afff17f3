import type { Inbox } from '../../ports/store/inbox.ts';
import { rowReader } from '../bad-row.ts';
import { deadFrom, inTurn, ordersOf, recordFrom } from '../rows/inbox.ts';
import { createApplying } from './apply-webhooks.ts';
import { addAudit } from './audit.ts';
import { type Base, time } from './base.ts';
import { command, select, statement, wholeNumber } from './statements.ts';
import { createStoring } from './store-webhooks.ts';
import { inbox } from './tables.ts';
import { keep, leave } from './transaction.ts';

// As the partial indexes say it, or the planner does not take them.
const DUE = `state = 'PENDING' and next_try_at <= ${time(1)}`;
// A hint, and no lock: orders that a worker is at now are left out, so that the next worker takes what comes after them.
const BUSY = `select objid::bigint::bit(32)::int from pg_locks
  where locktype = 'advisory' and classid::bigint::bit(32)::int = $3::int and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;
const findOldest = select(
  inbox,
  `where ${DUE} and (order_id is null or order_id <> all (array(${BUSY}))) order by id limit $2`,
);
const findOldestOf = select(inbox, `where ${DUE} and order_id = any($3::bigint[]) order by id limit $2`);
const findOfOrders = select(inbox, `where ${DUE} and order_id = any($2::bigint[])`);
const count = (state: string) =>
  statement(`select count(*) from inbox where state = '${state}'`, ([total]) => wholeNumber(total));
const countPending = count('PENDING');
const countDead = count('DEAD');
const findDead = select(inbox, `where state = 'DEAD' and id < $1 order by id desc limit $2`);
const lockDead = select(inbox, `where id = $1 and state = 'DEAD' for no key update`);
const revive = command(`update inbox set state = 'PENDING', tries = 0, next_try_at = $2 where id = $1`);
const findFirst = select(inbox, `where state = 'PENDING' order by id limit 1`);

export function createInbox(base: Base): Inbox {
  const { database, at, spaces } = base;
  return {
    ...createStoring(base),
    ...createApplying(base),
    async pending(limit, orderIds) {
      const now = at();
      const heads =
        orderIds === undefined
          ? await database.read(findOldest, [now, limit, spaces.work])
          : await database.read(findOldestOf, [now, limit, orderIds]);
      const ofOrders = heads.length === 0 ? [] : await database.read(findOfOrders, [now, ordersOf(heads)]);
      return inTurn(heads, ofOrders).slice(0, limit).map(recordFrom);
    },
    async dead(before, limit) {
      return (await database.read(findDead, [before ?? Number.MAX_SAFE_INTEGER, limit])).map(deadFrom);
    },
    replay: (id, by) =>
      database.write(async (tx) => {
        const [[row], now] = await Promise.all([tx.rows(lockDead, [id]), tx.now()]);
        if (row === undefined) return leave(null);
        tx.send(revive, [id, now]);
        addAudit(tx, by, 'REPLAY_WEBHOOK', id, now);
        tx.wake(['inbox']);
        return keep(() => deadFrom(row));
      }),
    async stats() {
      const [[pending], [dead], [first]] = await Promise.all([
        database.read(countPending, []),
        database.read(countDead, []),
        database.read(findFirst, []),
      ]);
      const oldestPendingAt =
        first === undefined ? null : rowReader('inbox', first.id).instant(first.receivedAt);
      return { pending: pending ?? 0, dead: dead ?? 0, oldestPendingAt };
    },
  };
}
