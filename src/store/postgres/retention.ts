import type { RetentionStore } from '../../ports/store/retention.ts';
import type { Base } from './base.ts';
import { connectAlone } from './connections.ts';
import { command, statement, wholeNumber } from './statements.ts';
import { keep, leave } from './transaction.ts';

const findOrders = statement(
  `select order_id from order_facts where ended_at < $1 and ended_at is not null and not erased
   order by ended_at, order_id limit $2`,
  ([id]) => wholeNumber(id),
);
// Orders before their facts, as everywhere; what another is at, this one or the next round of somebody finds again.
const lockOrders = statement(
  'select id from orders where id = any($1::bigint[]) order by id for no key update skip locked',
  ([id]) => wholeNumber(id),
);
const noteOrders = statement(
  'update order_facts set erased = true where order_id = any($1::bigint[]) and not erased returning order_id',
  ([id]) => wholeNumber(id),
);
const eraseOrders = command(
  'update orders set phone_number = null, otp_code = null, otp_message = null where id = any($1::bigint[])',
);
const dropMessages = command('delete from sms_revisions where order_id = any($1::bigint[])');
const dropWebhooks = command(`delete from inbox where order_id = any($1::bigint[]) and state <> 'PENDING'`);
// Webhooks of no order (tests, unknown events, what was rejected) go by their own age.
const dropOthers = statement(
  `delete from inbox where id in (select id from inbox where order_id is null and state <> 'PENDING'
     and received_at < $1 order by id limit $2 for update skip locked) returning id`,
  ([id]) => wholeNumber(id),
);
// Answers that came too late, numbers and texts in them. A person may still have to look at those of a review.
const dropEvidence = statement(
  `delete from attempt_evidence where id in (
     select e.id from attempt_evidence e join attempts a on a.id = e.attempt_id
     where e.at < $1 and a.state in ('RESOLVED', 'DEFINITIVE_REJECTION', 'INSUFFICIENT_BALANCE', 'CLOSED')
     order by e.id limit $2 for update of e skip locked) returning id`,
  ([id]) => wholeNumber(id),
);
const lockSupplierOrders = statement(
  `select id from supplier_orders where completed_at < $1 and completed_at is not null and not erased
   order by completed_at, id limit $2 for no key update skip locked`,
  ([id]) => String(id),
);
// Given up after some of it was delivered: no time of their end is kept, but their last line is older than that. Few, and so
// looked for without an index.
const lockGivenUp = statement(
  `select id from supplier_orders as o where status in ('REFUNDED', 'ERROR') and completed_at is null and not erased
     and exists (select 1 from supplier_deliveries where order_id = o.id)
     and not exists (select 1 from supplier_deliveries where order_id = o.id and (settled_at is null or settled_at >= $1))
   order by id limit $2 for no key update skip locked`,
  ([id]) => String(id),
);
const dropBodies = command(
  `update supplier_deliveries set body = '' where order_id = any($1::text[]) and state <> 'PENDING'`,
);
const noteSupplierOrders = command('update supplier_orders set erased = true where id = any($1::text[])');

/** Where what was erased has left dead rows. */
const TABLES = ['orders', 'sms_revisions', 'inbox', 'attempt_evidence', 'supplier_deliveries'];

export function createRetention({ database }: Base, url: string): RetentionStore {
  return {
    erase: (endedBefore, limit) =>
      database.write(async (tx) => {
        const found = await tx.rows(findOrders, [endedBefore, limit]);
        const locked = found.length === 0 ? [] : await tx.rows(lockOrders, [found]);
        const [orders, completed, givenUp, others, answers] = await Promise.all([
          locked.length === 0 ? [] : tx.rows(noteOrders, [locked]),
          tx.rows(lockSupplierOrders, [endedBefore, limit - locked.length]),
          tx.rows(lockGivenUp, [endedBefore, limit]),
          tx.rows(dropOthers, [endedBefore, limit]),
          tx.rows(dropEvidence, [endedBefore, limit]),
        ]);
        if (orders.length > 0) {
          tx.send(eraseOrders, [orders]);
          tx.send(dropMessages, [orders]);
          tx.send(dropWebhooks, [orders]);
        }
        const supplierOrders = [...completed, ...givenUp];
        if (supplierOrders.length > 0) {
          tx.send(dropBodies, [supplierOrders]);
          tx.send(noteSupplierOrders, [supplierOrders]);
        }
        const finished = orders.length + completed.length;
        const erased = Math.max(finished, givenUp.length, others.length, answers.length);
        return erased === 0 ? leave(0) : keep(() => erased);
      }),
    /**
     * The dead rows go, though not their bytes: those stay in free space until it is used again. `vacuum full` would take them
     * out, and lock the tables meanwhile. What the log, its archive and backups hold ends with their own retention.
     */
    async scrub() {
      const client = await connectAlone(url);
      try {
        for (const table of TABLES) await client.query(`vacuum ${table}`);
      } finally {
        await client.end();
      }
    },
  };
}
