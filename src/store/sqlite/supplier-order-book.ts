import { eq, sql } from 'drizzle-orm';
import type { SupplierOrderId } from '../../domain/ids.ts';
import type { SupplierOrder, SupplierOrderSnapshot } from '../../domain/supplier/order.ts';
import type { Instant } from '../../domain/time.ts';
import { claimedBy } from '../claim-steps.ts';
import { supplierOrderFrom } from '../rows/supplier-order.ts';
import { type KeptSupplierOrder, mergeSupplierOrder } from '../supplier-merge.ts';
import { type Base, inList } from './base.ts';
import { supplierOrders } from './supplier-tables.ts';
import { counters } from './tables.ts';
import { rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

/** Rows of supplier orders. Its writes are to be used inside of a write alone. */
export interface SupplierOrderBook {
  load(id: SupplierOrderId): KeptSupplierOrder | null;
  loadMany(ids: readonly SupplierOrderId[]): KeptSupplierOrder[];
  save(order: KeptSupplierOrder, unit: Unit): void;
  merge(told: SupplierOrderSnapshot, readAt: Instant, unit: Unit): KeptSupplierOrder;
  /** Gives the order to a caller, or to the gateway's own puller, with the next number of claims. */
  claim(order: KeptSupplierOrder, owner: SupplierOrder['claimedBy'], unit: Unit): KeptSupplierOrder;
}

export function createSupplierOrderBook({ database, db }: Base): SupplierOrderBook {
  const findOne = db
    .select()
    .from(supplierOrders)
    .where(eq(supplierOrders.id, sql.placeholder('id')))
    .prepare();
  const findMany = db.select().from(supplierOrders).where(inList(supplierOrders.id, 'ids')).prepare();
  const saveRow = rowWriter(database, supplierOrders, { replaceBy: ['id'] });
  const nextClaim = db
    .update(counters)
    .set({ value: sql`${counters.value} + 1` })
    .where(eq(counters.name, 'claims'))
    .returning({ value: counters.value })
    .prepare();

  function load(id: SupplierOrderId): KeptSupplierOrder | null {
    const row = findOne.get({ id });
    return row === undefined ? null : supplierOrderFrom(row);
  }

  function save(order: KeptSupplierOrder, unit: Unit): void {
    saveRow({ ...order });
    unit.wake([`supplier-order:${order.id}`]);
  }

  return {
    load,
    loadMany: (ids) => findMany.all({ ids: JSON.stringify(ids) }).map(supplierOrderFrom),
    save,
    merge(told, readAt, unit) {
      const merged = mergeSupplierOrder(load(told.id), told, readAt, unit.now);
      save(merged, unit);
      return merged;
    },
    claim(order, owner, unit) {
      const row = nextClaim.get();
      if (row === undefined) throw new Error('the counter of claims is gone');
      const claimed = claimedBy(order, owner, row.value, unit.now);
      save(claimed, unit);
      unit.wake(['supplier-claims']);
      return claimed;
    },
  };
}
