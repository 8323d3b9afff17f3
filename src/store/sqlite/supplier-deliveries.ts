import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { parseDeliveryId } from '../../domain/ids.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SupplierStore } from '../../ports/store/supplier.ts';
import { rowReader } from '../bad-row.ts';
import {
  answerDelivery,
  beginDelivery,
  type KeptDelivery,
  takeDelivery,
  withLinesOf,
} from '../delivery-steps.ts';
import { deliveredLinesOf, deliveryFrom, deliveryRow } from '../rows/delivery.ts';
import type { AuditBook } from './audit.ts';
import { type Base, inList } from './base.ts';
import type { SupplierOrderBook } from './supplier-order-book.ts';
import { supplierDeliveries } from './supplier-tables.ts';
import { rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

type Deliveries = Pick<
  SupplierStore,
  | 'deliveredLines'
  | 'deliveries'
  | 'delivery'
  | 'prepareDelivery'
  | 'takeDelivery'
  | 'settleDelivery'
  | 'dueDeliveries'
  | 'nextDeliveryDueAt'
>;

export function createDeliveries(
  { database, db, writer }: Base,
  clock: Pick<Clock, 'now'>,
  cipher: Cipher,
  book: SupplierOrderBook,
  audit: AuditBook,
): Deliveries {
  const findOne = db
    .select()
    .from(supplierDeliveries)
    .where(eq(supplierDeliveries.id, sql.placeholder('id')))
    .prepare();
  const findPending = db
    .select()
    .from(supplierDeliveries)
    .where(and(eq(supplierDeliveries.orderId, sql.placeholder('orderId')), sql`state = 'PENDING'`))
    .prepare();
  const findOfOrders = db
    .select()
    .from(supplierDeliveries)
    .where(inList(supplierDeliveries.orderId, 'orderIds'))
    .orderBy(asc(supplierDeliveries.createdAt), asc(supplierDeliveries.id))
    .prepare();
  const findDue = db
    .select({ id: supplierDeliveries.id, dueAt: supplierDeliveries.dueAt })
    .from(supplierDeliveries)
    .where(and(isNotNull(supplierDeliveries.dueAt), lte(supplierDeliveries.dueAt, sql.placeholder('now'))))
    .orderBy(asc(supplierDeliveries.dueAt), asc(supplierDeliveries.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const findNextDue = db
    .select({ dueAt: supplierDeliveries.dueAt })
    .from(supplierDeliveries)
    .where(isNotNull(supplierDeliveries.dueAt))
    .orderBy(asc(supplierDeliveries.dueAt))
    .limit(1)
    .prepare();
  const saveRow = rowWriter(database, supplierDeliveries, { replaceBy: ['id'] });

  function load(id: string): KeptDelivery {
    const row = findOne.get({ id });
    if (row === undefined) throw new Error(`there is no delivery ${id}`);
    return deliveryFrom(row, cipher);
  }

  function save(delivery: KeptDelivery, unit: Unit): void {
    const row = deliveryRow(delivery, cipher);
    saveRow({ ...row });
    unit.wake([`supplier-order:${delivery.orderId}`]);
    if (row.dueAt !== null) unit.wake(['deliveries-due']);
  }

  return {
    async deliveredLines(id) {
      // Before its lines: what another process settles in between makes the version old, and the plan is refused.
      const order = book.load(id);
      const rows = findOfOrders.all({ orderIds: JSON.stringify([id]) });
      const lines = deliveredLinesOf(rows, order?.deliveredCount ?? 0, cipher);
      return { order, lines, version: order?.linesVersion ?? 0 };
    },
    async deliveries(ids) {
      return findOfOrders.all({ orderIds: JSON.stringify(ids) }).map((row) => deliveryFrom(row, cipher));
    },
    async delivery(id) {
      const row = findOne.get({ id });
      return row === undefined ? null : deliveryFrom(row, cipher);
    },
    prepareDelivery: (draft, version, token, by) =>
      writer.write((unit) => {
        const pending = findPending.get({ orderId: draft.orderId });
        if (pending !== undefined) return { kind: 'pending', delivery: deliveryFrom(pending, cipher) };
        const order = book.load(draft.orderId);
        if (order === null || order.linesVersion !== version) return { kind: 'outdated' };
        const delivery = beginDelivery(draft, order, token, unit.now);
        save(delivery, unit);
        audit.add(by, 'DELIVER_SUPPLIER_ORDER', delivery.id, unit.now);
        return { kind: 'fresh', delivery, token };
      }),
    takeDelivery: (id, token) =>
      writer.write((unit) => {
        const delivery = load(id);
        const taken = takeDelivery(delivery, token, unit.now);
        if (taken === null) return { kind: 'not-sent', delivery };
        save(taken.delivery, unit);
        return taken.kind === 'claimed'
          ? { kind: 'claimed', delivery: taken.delivery, token }
          : { kind: 'not-sent', delivery: taken.delivery };
      }),
    settleDelivery: (id, token, reply) =>
      writer.write((unit) => {
        const delivery = load(id);
        if (delivery.state !== 'PENDING' || delivery.token !== token) return delivery;
        const order = book.load(delivery.orderId);
        if (order === null) throw new Error(`there is no supplier order ${delivery.orderId}`);
        const next = answerDelivery(delivery, order.createdAt, reply, unit.now);
        save(next, unit);
        if (next.state === 'ACCEPTED') book.save(withLinesOf(order, next, unit.now), unit);
        return next;
      }),
    async dueDeliveries(limit) {
      return findDue
        .all({ now: clock.now(), limit })
        .map(({ id }) => rowReader('supplier_deliveries', id).sure(parseDeliveryId(id)));
    },
    async nextDeliveryDueAt() {
      const row = findNextDue.get();
      return row === undefined ? null : rowReader('supplier_deliveries', 'next').maybeInstant(row.dueAt);
    },
  };
}
