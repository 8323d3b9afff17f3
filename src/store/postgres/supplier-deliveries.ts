import { parseDeliveryId } from '../../domain/ids.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { PreparedDelivery, SupplierStore, TakenDelivery } from '../../ports/store/supplier.ts';
import { rowReader } from '../bad-row.ts';
import {
  answerDelivery,
  beginDelivery,
  type KeptDelivery,
  takeDelivery,
  withLinesOf,
} from '../delivery-steps.ts';
import { deliveredLinesOf, deliveryFrom, deliveryRow } from '../rows/delivery.ts';
import { supplierOrderFrom } from '../rows/supplier-order.ts';
import { addAudit } from './audit.ts';
import { type Base, time } from './base.ts';
import { insertInto, select, selectPairs, statement, update, wholeNumber } from './statements.ts';
import { lockedSupplierOrders } from './supplier-orders.ts';
import { supplierDeliveries, supplierOrders } from './supplier-tables.ts';
import { keep, leave, type Transaction } from './transaction.ts';

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

const findOne = select(supplierDeliveries, 'where id = $1');
const lockOne = select(supplierDeliveries, 'where id = $1 for no key update');
const findPending = select(supplierDeliveries, `where order_id = $1 and state = 'PENDING'`);
const findOfOrders = select(supplierDeliveries, 'where order_id = any($1::text[]) order by created_at, id');
const findLines = selectPairs(
  supplierOrders,
  supplierDeliveries,
  `left join supplier_deliveries on supplier_deliveries.order_id = supplier_orders.id
   where supplier_orders.id = $1 order by supplier_deliveries.created_at, supplier_deliveries.id`,
);
const findDue = statement(
  `select id from supplier_deliveries where due_at is not null and due_at <= ${time(1)} order by due_at, id limit $2`,
  ([id]) => String(id),
);
const findNextDue = statement(
  'select due_at from supplier_deliveries where due_at is not null order by due_at limit 1',
  ([dueAt]) => wholeNumber(dueAt),
);
const addDelivery = insertInto(supplierDeliveries);
const saveDelivery = update(supplierDeliveries, 'id');

/** Locks are taken in one order: the supplier order, then its delivery. */
export function createDeliveries({ database, at }: Base, cipher: Cipher): Deliveries {
  function write(tx: Transaction, delivery: KeptDelivery, how: typeof addDelivery): void {
    const row = deliveryRow(delivery, cipher);
    tx.send(how, how.values([{ ...row }]));
    tx.wake([`supplier-order:${delivery.orderId}`]);
    if (row.dueAt !== null) tx.wake(['deliveries-due']);
  }

  return {
    async deliveredLines(id) {
      const pairs = await database.read(findLines, [id]);
      const deliveries = pairs.flatMap(([, delivery]) => delivery ?? []);
      const order = pairs[0] === undefined ? null : supplierOrderFrom(pairs[0][0]);
      const lines = deliveredLinesOf(deliveries, order?.deliveredCount ?? 0, cipher);
      return { order, lines, version: order?.linesVersion ?? 0 };
    },
    async deliveries(ids) {
      return (await database.read(findOfOrders, [ids])).map((row) => deliveryFrom(row, cipher));
    },
    async delivery(id) {
      const [row] = await database.read(findOne, [id]);
      return row === undefined ? null : deliveryFrom(row, cipher);
    },
    prepareDelivery: (draft, version, token, by) =>
      database.write<PreparedDelivery>(async (tx) => {
        const [sheet, [pending], now] = await Promise.all([
          lockedSupplierOrders(tx, [draft.orderId]),
          tx.rows(findPending, [draft.orderId]),
          tx.now(),
        ]);
        if (pending !== undefined) {
          const delivery = deliveryFrom(pending, cipher);
          const isOwn = tx.mayBeKept && delivery.token === token;
          return leave(isOwn ? { kind: 'fresh', delivery, token } : { kind: 'pending', delivery });
        }
        const order = sheet.load(draft.orderId);
        if (order === null || order.linesVersion !== version) return leave({ kind: 'outdated' });
        const delivery = beginDelivery(draft, order, token, now);
        write(tx, delivery, addDelivery);
        addAudit(tx, by, 'DELIVER_SUPPLIER_ORDER', delivery.id, now);
        return keep(() => ({ kind: 'fresh', delivery, token }));
      }),
    takeDelivery: (id, token) =>
      database.write<TakenDelivery>(async (tx) => {
        const [[row], now] = await Promise.all([tx.rows(lockOne, [id]), tx.now()]);
        if (row === undefined) throw new Error(`there is no delivery ${id}`);
        const delivery = deliveryFrom(row, cipher);
        if (tx.mayBeKept && delivery.token === token) return leave({ kind: 'claimed', delivery, token });
        const taken = takeDelivery(delivery, token, now);
        if (taken === null) return leave({ kind: 'not-sent', delivery });
        write(tx, taken.delivery, saveDelivery);
        return keep(() =>
          taken.kind === 'claimed'
            ? { kind: 'claimed', delivery: taken.delivery, token }
            : { kind: 'not-sent', delivery: taken.delivery },
        );
      }),
    settleDelivery: (id, token, reply) =>
      database.write(async (tx) => {
        const [known] = await tx.rows(findOne, [id]);
        if (known === undefined) throw new Error(`there is no delivery ${id}`);
        const { orderId } = deliveryFrom(known, cipher);
        const [sheet, [row], now] = await Promise.all([
          lockedSupplierOrders(tx, [orderId]),
          tx.rows(lockOne, [id]),
          tx.now(),
        ]);
        if (row === undefined) throw new Error(`there is no delivery ${id}`);
        const delivery = deliveryFrom(row, cipher);
        if (delivery.state !== 'PENDING' || delivery.token !== token) return leave(delivery);
        const order = sheet.load(orderId);
        if (order === null) throw new Error(`there is no supplier order ${orderId}`);
        const next = answerDelivery(delivery, order.createdAt, reply, now);
        write(tx, next, saveDelivery);
        if (next.state === 'ACCEPTED') {
          sheet.save(withLinesOf(order, next, now));
          sheet.write();
        }
        return keep(() => next);
      }),
    async dueDeliveries(limit) {
      const ids = await database.read(findDue, [at(), limit]);
      return ids.map((id) => rowReader('supplier_deliveries', id).sure(parseDeliveryId(id)));
    },
    async nextDeliveryDueAt() {
      const [dueAt] = await database.read(findNextDue, []);
      return dueAt === undefined ? null : rowReader('supplier_deliveries', 'next').instant(dueAt);
    },
  };
}
