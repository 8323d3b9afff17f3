import type { RetentionStore } from '../../ports/store/retention.ts';
import type { Base } from './base.ts';

/** Erases in place: secure_delete overwrites what a row no longer holds. */
export function createRetention({ database, writer }: Base): RetentionStore {
  const findOrders = database.prepare<[number, number], { id: number }>(
    `select order_id as id from order_facts where ended_at < ? and ended_at is not null and erased = 0
     order by ended_at, order_id limit ?`,
  );
  const eraseOrder = database.prepare(
    'update orders set phone_number = null, otp_code = null, otp_message = null where id = ?',
  );
  const dropMessages = database.prepare('delete from sms_revisions where order_id = ?');
  const dropWebhooks = database.prepare("delete from inbox where order_id = ? and state <> 'PENDING'");
  const noteOrder = database.prepare('update order_facts set erased = 1 where order_id = ?');
  // Webhooks of no order (tests, unknown events, what was rejected) go by their own age.
  const dropOther = database.prepare(
    `delete from inbox where id in (select id from inbox where order_id is null and state <> 'PENDING' and received_at < ? limit ?)`,
  );
  // Answers that came too late, numbers and texts in them. A person may still have to look at those of a review.
  const dropEvidence = database.prepare(
    `delete from attempt_evidence where id in (
       select e.id from attempt_evidence e join attempts a on a.id = e.attempt_id
       where e.at < ? and a.state in ('RESOLVED', 'DEFINITIVE_REJECTION', 'INSUFFICIENT_BALANCE', 'CLOSED') limit ?)`,
  );
  const findSupplierOrders = database.prepare<[number, number], { id: string }>(
    `select id from supplier_orders where completed_at < ? and completed_at is not null and erased = 0
     order by completed_at limit ?`,
  );
  // Given up after some of it was delivered: no time of their end is kept, but their last line is older than that. Few, and so
  // looked for without an index.
  const findGivenUp = database.prepare<[number, number], { id: string }>(
    `select id from supplier_orders as o where status in ('REFUNDED', 'ERROR') and completed_at is null and erased = 0
       and exists (select 1 from supplier_deliveries where order_id = o.id)
       and not exists (select 1 from supplier_deliveries where order_id = o.id and (settled_at is null or settled_at >= ?))
     limit ?`,
  );
  const dropDeliveries = database.prepare(
    "update supplier_deliveries set body = zeroblob(0) where order_id = ? and state <> 'PENDING'",
  );
  const noteSupplierOrder = database.prepare('update supplier_orders set erased = 1 where id = ?');

  return {
    erase: (endedBefore, limit) =>
      writer.write(() => {
        const orders = findOrders.all(endedBefore, limit);
        for (const { id } of orders) {
          eraseOrder.run(id);
          dropMessages.run(id);
          dropWebhooks.run(id);
          noteOrder.run(id);
        }
        const supplierOrders = findSupplierOrders.all(endedBefore, limit - orders.length);
        const givenUp = findGivenUp.all(endedBefore, limit);
        for (const { id } of [...supplierOrders, ...givenUp]) {
          dropDeliveries.run(id);
          noteSupplierOrder.run(id);
        }
        const others = dropOther.run(endedBefore, limit).changes;
        const answers = dropEvidence.run(endedBefore, limit).changes;
        return Math.max(orders.length + supplierOrders.length, givenUp.length, others, answers);
      }),
    async scrub() {
      // The log still holds pages as they were; a truncating checkpoint empties it.
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}
