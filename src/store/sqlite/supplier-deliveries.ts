import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import {
  parseCallerName,
  parseDeliveryId,
  parseSupplierOrderId,
  type SupplierOrderId,
} from '../../domain/ids.ts';
import {
  admitDelivery,
  DELIVERY_DEADLINE,
  DELIVERY_LEASE,
  type Delivery,
  deliveryRejectionCodes,
  settleDelivery,
} from '../../domain/supplier/delivery.ts';
import { type Instant, later } from '../../domain/time.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SupplierStore } from '../../ports/store/supplier.ts';
import { rowReader } from '../bad-row.ts';
import { linesOfBody } from '../delivery-body.ts';
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

type DeliveryRow = typeof supplierDeliveries.$inferSelect;

/** A delivery with what a store keeps beside it. */
interface KeptDelivery extends Delivery {
  readonly leaseUntil: Instant | null;
  readonly token: string | null;
  readonly countedBefore: number;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
}

const deliveryStates = ['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
const deliveryStatuses = ['COMPLETED', 'PARTIAL'] as const;

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
    const { rejection, body, ...columns } = delivery;
    const dueAt = delivery.state === 'PENDING' ? (delivery.leaseUntil ?? delivery.nextAttemptAt) : null;
    saveRow({
      ...columns,
      body: Buffer.from(cipher.seal(body)),
      rejectionCode: rejection?.code ?? null,
      rejectionMessage: rejection?.message ?? null,
      dueAt,
    });
    unit.wake([`supplier-order:${delivery.orderId}`]);
    if (dueAt !== null) unit.wake(['deliveries-due']);
  }

  /** Its lines count from now on: beside what the API tells, which may have them counted already. */
  function count(delivery: KeptDelivery, unit: Unit): void {
    const order = book.load(delivery.orderId);
    if (order === null) throw new Error(`there is no supplier order ${delivery.orderId}`);
    const isCompleted = delivery.status === 'COMPLETED';
    book.save(
      {
        ...order,
        deliveredCount: Math.max(order.deliveredCount, delivery.countedBefore + delivery.lines),
        linesVersion: order.linesVersion + 1,
        status: isCompleted ? 'COMPLETED' : order.status,
        completedAt: order.completedAt ?? (isCompleted ? unit.now : null),
        renew: order.renew && !isCompleted,
        externalId: delivery.externalId ?? order.externalId,
        externalPrice: delivery.externalPrice ?? order.externalPrice,
        // A list that was read before this cannot know of it.
        asOf: unit.now,
      },
      unit,
    );
  }

  return {
    async deliveredLines(id) {
      const lines: string[] = [];
      for (const row of findOfOrders.all({ orderIds: JSON.stringify([id]) })) {
        if (row.state === 'ACCEPTED' && row.body.length > 0)
          lines.push(...linesOfBody(cipher.open(row.body)));
      }
      return { lines, version: book.load(id)?.linesVersion ?? 0 };
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
        const { now } = unit;
        const delivery: KeptDelivery = {
          ...draft,
          state: 'PENDING',
          attempts: 1,
          lastError: null,
          rejection: null,
          createdAt: now,
          settledAt: null,
          deadlineAt: later(now, DELIVERY_DEADLINE),
          nextAttemptAt: null,
          leaseUntil: later(now, DELIVERY_LEASE),
          token,
          countedBefore: order.deliveredCount,
        };
        save(delivery, unit);
        audit.add(by, 'DELIVER_SUPPLIER_ORDER', delivery.id, now);
        return { kind: 'fresh', delivery, token };
      }),
    takeDelivery: (id, token) =>
      writer.write((unit) => {
        const delivery = load(id);
        switch (admitDelivery(delivery, unit.now)) {
          case 'send': {
            const taken: KeptDelivery = {
              ...delivery,
              attempts: delivery.attempts + 1,
              nextAttemptAt: null,
              leaseUntil: later(unit.now, DELIVERY_LEASE),
              token,
            };
            save(taken, unit);
            return { kind: 'claimed', delivery: taken, token };
          }
          case 'expire': {
            const expired: KeptDelivery = { ...released(delivery), state: 'EXPIRED', settledAt: unit.now };
            save(expired, unit);
            return { kind: 'not-sent', delivery: expired };
          }
          case 'not-due':
          case 'held':
          case 'settled':
            return { kind: 'not-sent', delivery };
        }
      }),
    settleDelivery: (id, token, reply) =>
      writer.write((unit) => {
        const delivery = load(id);
        if (delivery.state !== 'PENDING' || delivery.token !== token) return delivery;
        const order = book.load(delivery.orderId);
        const next = settleDelivery(delivery, order?.createdAt ?? null, reply, unit.now);
        const base = released(delivery);
        switch (next.kind) {
          case 'accepted': {
            const accepted: KeptDelivery = {
              ...base,
              state: 'ACCEPTED',
              lastError: null,
              settledAt: unit.now,
            };
            save(accepted, unit);
            count(accepted, unit);
            return accepted;
          }
          case 'rejected': {
            const { code, message } = next;
            const rejected: KeptDelivery = {
              ...base,
              state: 'REJECTED',
              lastError: code,
              rejection: { code, message },
              settledAt: unit.now,
            };
            save(rejected, unit);
            return rejected;
          }
          case 'again': {
            const waiting = { ...base, nextAttemptAt: next.nextAttemptAt, lastError: next.lastError };
            save(waiting, unit);
            return waiting;
          }
        }
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

function released(delivery: KeptDelivery): KeptDelivery {
  return { ...delivery, nextAttemptAt: null, leaseUntil: null, token: null };
}

function deliveryFrom(row: DeliveryRow, cipher: Cipher): KeptDelivery {
  const read = rowReader('supplier_deliveries', row.id);
  const code = read.maybeOneOf(row.rejectionCode, deliveryRejectionCodes);
  const { endpoint, lines, attempts, lastError, countedBefore, externalId, externalPrice, token } = row;
  return {
    id: read.sure(parseDeliveryId(row.id)),
    orderId: supplierOrderId(row.orderId, row.id),
    caller: read.sure(parseCallerName(row.caller)),
    state: read.oneOf(row.state, deliveryStates),
    endpoint,
    // Erased by retention: nothing sends a settled delivery again.
    body: row.body.length === 0 ? '' : cipher.open(row.body),
    lines,
    status: read.oneOf(row.status, deliveryStatuses),
    attempts,
    lastError,
    rejection: code === null ? null : { code, message: row.rejectionMessage ?? '' },
    createdAt: read.instant(row.createdAt),
    settledAt: read.maybeInstant(row.settledAt),
    deadlineAt: read.instant(row.deadlineAt),
    nextAttemptAt: read.maybeInstant(row.nextAttemptAt),
    leaseUntil: read.maybeInstant(row.leaseUntil),
    token,
    countedBefore,
    externalId,
    externalPrice,
  };
}

function supplierOrderId(raw: string, deliveryId: string): SupplierOrderId {
  return rowReader('supplier_deliveries', deliveryId).sure(parseSupplierOrderId(raw));
}
