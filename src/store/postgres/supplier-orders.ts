import type { SupplierOrderId } from '../../domain/ids.ts';
import type { SupplierOrder, SupplierOrderSnapshot } from '../../domain/supplier/order.ts';
import type { Instant } from '../../domain/time.ts';
import { claimedBy } from '../claim-steps.ts';
import { supplierOrderFrom } from '../rows/supplier-order.ts';
import { type KeptSupplierOrder, mergeSupplierOrder } from '../supplier-merge.ts';
import { insertInto, select, statement, update, wholeNumber } from './statements.ts';
import { supplierOrders } from './supplier-tables.ts';
import type { Transaction } from './transaction.ts';

/** Supplier orders locked in one transaction, as they stand and as they are to be written at its end. */
export interface SupplierSheet {
  load(id: SupplierOrderId): KeptSupplierOrder | null;
  save(order: KeptSupplierOrder): void;
  merge(told: SupplierOrderSnapshot, readAt: Instant, now: Instant): KeptSupplierOrder;
  /** Gives orders away, in their turn, with the next numbers of claims. */
  claim(
    orders: readonly KeptSupplierOrder[],
    owner: SupplierOrder['claimedBy'],
    now: Instant,
  ): Promise<readonly KeptSupplierOrder[]>;
  write(): void;
}

const lockOrders = select(supplierOrders, 'where id = any($1::text[]) order by id for no key update');
const addOrders = insertInto(supplierOrders);
const saveOrders = update(supplierOrders, 'id');
// Locked to the commit, so that no claim becomes visible behind a follower's cursor. Claims are made some times a minute.
const drawNumbers = statement(
  `update counters set value = value + $1::bigint where name = 'claims' returning value - $1::bigint + 1`,
  ([first]) => wholeNumber(first),
);

export async function lockedSupplierOrders(
  tx: Transaction,
  ids: readonly SupplierOrderId[],
): Promise<SupplierSheet> {
  const rows = ids.length === 0 ? [] : await tx.rows(lockOrders, [ids]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const current = new Map<SupplierOrderId, KeptSupplierOrder>();

  function load(id: SupplierOrderId): KeptSupplierOrder | null {
    const row = known.get(id);
    return current.get(id) ?? (row === undefined ? null : supplierOrderFrom(row));
  }

  return {
    load,
    save: (order) => void current.set(order.id, order),
    merge(told, readAt, now) {
      const merged = mergeSupplierOrder(load(told.id), told, readAt, now);
      current.set(merged.id, merged);
      return merged;
    },
    async claim(wished, owner, now) {
      if (wished.length === 0) return [];
      const [first] = await tx.rows(drawNumbers, [wished.length]);
      if (first === undefined) throw new Error('the counter of claims is gone');
      const claimed = wished.map((order, index) => claimedBy(order, owner, first + index, now));
      for (const order of claimed) current.set(order.id, order);
      tx.wake(['supplier-claims']);
      return claimed;
    },
    write() {
      const all = [...current.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      const made = all.filter(({ id }) => !known.has(id)).map((order) => ({ ...order }));
      const changed = all.filter(({ id }) => known.has(id)).map((order) => ({ ...order }));
      if (made.length > 0) tx.send(addOrders, addOrders.values(made));
      if (changed.length > 0) tx.send(saveOrders, saveOrders.values(changed));
      tx.wake(all.map(({ id }) => `supplier-order:${id}` as const));
    },
  };
}
