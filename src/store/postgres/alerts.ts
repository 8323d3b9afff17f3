import type { Random } from '../../ports/random.ts';
import type { AlertStore } from '../../ports/store/alerts.ts';
import { alertFrom } from '../rows/alert.ts';
import { type Base, time } from './base.ts';
import { command, insertInto, returning, select, statement } from './statements.ts';
import { keep, leave } from './transaction.ts';
import { alerts } from './watch-tables.ts';

const addAlert = insertInto(alerts, 'on conflict do nothing');
const findStanding = select(alerts, 'where kind = $1 and subject = $2 and cleared_at is null');
const clearAlert = statement(
  `update alerts set cleared_at = ${time(3)} where kind = $1 and subject = $2 and cleared_at is null returning id`,
  ([id]) => String(id),
);
const takeAlerts = returning(
  alerts,
  `update alerts set due_at = ${time(1)} + $3::bigint, tries = tries + 1
   where id in (select id from alerts where told_at is null and due_at <= ${time(1)} order by due_at, id limit $2
     for no key update skip locked)`,
);
const markTold = command(`update alerts set told_at = ${time(2)} where id = $1`);
const postpone = command(`update alerts set due_at = ${time(3)} + $2::bigint where id = $1`);

export function createAlertStore({ database, at }: Base, random: Pick<Random, 'token'>): AlertStore {
  return {
    raise(alert) {
      const id = random.token();
      return database.write(async (tx) => {
        const now = await tx.now();
        tx.send(addAlert, addAlert.values([{ id, ...alert, raisedAt: now, dueAt: now, tries: 0 }]));
        const [standing] = await tx.rows(findStanding, [alert.kind, alert.subject]);
        if (standing?.id !== id) return leave(false);
        tx.wake(['alerts']);
        return keep(() => true);
      });
    },
    clear: (kind, subject) =>
      database.write(async (tx) => {
        const cleared = await tx.rows(clearAlert, [kind, subject, at()]);
        return keep(() => cleared.length > 0);
      }),
    takeUntold: (limit, leaseMs) =>
      database.write(async (tx) => {
        const rows = await tx.rows(takeAlerts, [at(), limit, leaseMs]);
        // As they were: this try is not yet one of theirs.
        const taken = rows.map((row) => alertFrom({ ...row, tries: row.tries - 1 }));
        return keep(() => taken.sort((a, b) => a.raisedAt - b.raisedAt || (a.id < b.id ? -1 : 1)));
      }),
    told: (id) =>
      database.write(async (tx) => {
        tx.send(markTold, [id, at()]);
        return keep(() => undefined);
      }),
    tellLater: (id, milliseconds) =>
      database.write(async (tx) => {
        tx.send(postpone, [id, milliseconds, at()]);
        return keep(() => undefined);
      }),
  };
}
