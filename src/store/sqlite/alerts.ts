import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { later } from '../../domain/time.ts';
import type { Random } from '../../ports/random.ts';
import type { AlertStore } from '../../ports/store/alerts.ts';
import { alertFrom } from '../rows/alert.ts';
import { type Base, parameter } from './base.ts';
import { alerts } from './watch-tables.ts';
import { rowWriter } from './write-rows.ts';

export function createAlertStore({ database, db, writer }: Base, random: Pick<Random, 'token'>): AlertStore {
  const add = rowWriter(database, alerts, 'ignore');
  const clear = db
    .update(alerts)
    .set({ clearedAt: parameter('at') })
    .where(
      and(
        eq(alerts.kind, sql.placeholder('kind')),
        eq(alerts.subject, sql.placeholder('subject')),
        isNull(alerts.clearedAt),
      ),
    )
    .prepare();
  const findUntold = db
    .select()
    .from(alerts)
    .where(and(isNull(alerts.toldAt), lte(alerts.dueAt, sql.placeholder('now'))))
    .orderBy(asc(alerts.dueAt), asc(alerts.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const postpone = db
    .update(alerts)
    .set({ dueAt: parameter('dueAt'), tries: parameter('tries') })
    .where(eq(alerts.id, sql.placeholder('id')))
    .prepare();
  const delay = db
    .update(alerts)
    .set({ dueAt: parameter('dueAt') })
    .where(eq(alerts.id, sql.placeholder('id')))
    .prepare();
  const tell = db
    .update(alerts)
    .set({ toldAt: parameter('at') })
    .where(eq(alerts.id, sql.placeholder('id')))
    .prepare();

  return {
    raise: (alert) =>
      writer.write((unit) => {
        const { now } = unit;
        const isNew = add({ id: random.token(), ...alert, raisedAt: now, dueAt: now, tries: 0 });
        if (isNew) unit.wake(['alerts']);
        return isNew;
      }),
    clear: (kind, subject) => writer.write(({ now }) => clear.run({ kind, subject, at: now }).changes > 0),
    takeUntold: (limit, leaseMs) =>
      writer.write(({ now }) => {
        const rows = findUntold.all({ now, limit });
        for (const { id, tries } of rows) postpone.run({ id, tries: tries + 1, dueAt: later(now, leaseMs) });
        return rows.map(alertFrom);
      }),
    told: (id) => writer.write(({ now }) => void tell.run({ id, at: now })),
    tellLater: (id, milliseconds) =>
      writer.write(({ now }) => void delay.run({ id, dueAt: later(now, milliseconds) })),
  };
}
