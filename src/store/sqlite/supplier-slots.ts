import { eq, gt, lte, sql } from 'drizzle-orm';
import { later } from '../../domain/time.ts';
import type { SupplierSlots } from '../../ports/store/supplier.ts';
import { type Base, parameter } from './base.ts';
import { supplierSlots } from './supplier-tables.ts';
import { counters } from './tables.ts';
import { rowWriter } from './write-rows.ts';

/** How soon to ask again for a place that others hold: a call at the supplier takes some tens of milliseconds. */
const ASK_AGAIN_AFTER = 20;

export function createSupplierSlots({ database, db, writer }: Base): SupplierSlots {
  const add = rowWriter(database, supplierSlots, { replaceBy: ['token'] });
  const dropDead = db
    .delete(supplierSlots)
    .where(lte(supplierSlots.leaseUntil, sql.placeholder('now')))
    .prepare();
  const drop = db
    .delete(supplierSlots)
    .where(eq(supplierSlots.token, sql.placeholder('token')))
    .prepare();
  const findTaken = db
    .select({ token: supplierSlots.token })
    .from(supplierSlots)
    .where(gt(supplierSlots.leaseUntil, sql.placeholder('now')))
    .prepare();
  const findLastUpdate = db.select().from(counters).where(eq(counters.name, 'supplier-update')).prepare();
  const noteUpdate = db
    .update(counters)
    .set({ value: parameter('at') })
    .where(eq(counters.name, 'supplier-update'))
    .prepare();

  return {
    take: (token, { places, isUpdate, spacingMs, leaseMs }) =>
      writer.write(({ now }) => {
        dropDead.run({ now });
        if (findTaken.all({ now }).length >= places) return { kind: 'wait', milliseconds: ASK_AGAIN_AFTER };
        if (isUpdate) {
          const since = now - (findLastUpdate.get()?.value ?? 0);
          // A clock set back must not hold updates up for as long as it was set back.
          if (since >= 0 && since < spacingMs) return { kind: 'wait', milliseconds: spacingMs - since };
          noteUpdate.run({ at: now });
        }
        add({ token, leaseUntil: later(now, leaseMs) });
        return { kind: 'granted' };
      }),
    giveBack: (token) => writer.write(() => void drop.run({ token })),
  };
}
