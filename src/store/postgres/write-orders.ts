import type { Order } from '../../domain/orders/order.ts';
import { isShown } from '../order-effects.ts';
import type { OrderWrites } from '../order-sheet.ts';
import { orderRow } from '../rows/order.ts';
import { toStoredText } from '../stored-text.ts';
import type { Ledger, ListEntry } from './ledger.ts';
import { command, insertInto, type NewRow, replacing, statement, update, wholeNumber } from './statements.ts';
import { orderChanges, orders } from './tables.ts';
import type { Transaction } from './transaction.ts';
import { orderFacts } from './watch-tables.ts';

// A new order that another has made meanwhile fails the transaction, which then runs again and finds it: replaced, what the
// other knew of it would be gone.
const addOrders = insertInto(orders);
const saveOrders = update(orders, 'id');
// Most reads tell nothing new; their time alone spares the row's seven indexes.
const markSeen = command(
  'update orders set as_of = new.as_of from unnest($1::bigint[], $2::bigint[]) as new (id, as_of) where orders.id = new.id',
);
const addChanges = insertInto(orderChanges);
const saveFacts = insertInto(orderFacts, replacing(orderFacts, 'order_id'));
const MESSAGE = 'order_id, revision, message, otp_code, source, received_at, sequence, owner, owner_sequence';
const saveMessages = command(
  `insert into sms_revisions (${MESSAGE})
   select ${MESSAGE} from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[],
     $7::bigint[], $8::text[], $9::bigint[]) as new (${MESSAGE})`,
);
// The row of the counter is locked to the commit, or a follower whose cursor is past a number would miss the message that
// takes it later. It is drawn in the last statement before the COMMIT, which is under way already: others wait for the disk
// alone, and never for this process.
const saveNumberedMessages = statement(
  `with drawn as (update counters set value = value + $1::bigint where name = 'sms' returning value - $1::bigint + 1 as first),
   saved as (
     insert into sms_revisions (${MESSAGE})
     select order_id, revision, message, otp_code, source, received_at,
       case when to_all then drawn.first + number else sequence end, owner,
       case when to_owner then drawn.first + number else owner_sequence end
     from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::text[],
       $10::bigint[], $11::bigint[], $12::boolean[], $13::boolean[]) as new (${MESSAGE}, number, to_all, to_owner), drawn
     on conflict (order_id, revision) do update set sequence = excluded.sequence, owner = excluded.owner,
       owner_sequence = excluded.owner_sequence)
   select first from drawn`,
  ([first]) => wholeNumber(first),
);

/** What the orders of a sheet add to the books and counts. */
export function tally(written: OrderWrites, ledger: Ledger): void {
  ledger.add(...written.lines);
  for (const { of, sign } of written.contributions) ledger.count(of, sign);
  for (const { from, to } of written.moves) ledger.move('orders', entryOf(from), entryOf(to));
}

/** Writes the rows of orders. The ledger is to be written after it, and the messages last. */
export function writeOrders(tx: Transaction, written: OrderWrites): void {
  const { made, changed, seen, changes, facts, wakes } = written;
  if (made.size > 0) tx.send(addOrders, addOrders.values(byId(made.values()).map(bare)));
  if (changed.size > 0) tx.send(saveOrders, saveOrders.values([...changed.values()].map(bare)));
  if (seen.size > 0) tx.send(markSeen, [[...seen.keys()], [...seen.values()]]);
  if (changes.length > 0) tx.send(addChanges, addChanges.values(changes.map((row) => ({ ...row }))));
  if (facts.size > 0) {
    tx.send(saveFacts, saveFacts.values([...facts].map(([orderId, known]) => ({ orderId, ...known }))));
  }
  tx.wake(wakes);
}

/** Writes the messages. What is returned waits for it and tells the first of the numbers that they took. */
export function writeMessages(tx: Transaction, { messages, numbers }: OrderWrites): () => Promise<number> {
  const rows = messages.map(({ row }) => row);
  const columns = [
    rows.map((row) => row.orderId),
    rows.map((row) => row.revision),
    rows.map((row) => toStoredText(row.message)),
    rows.map((row) => (row.otpCode === null ? null : toStoredText(row.otpCode))),
    rows.map((row) => row.source),
    rows.map((row) => row.receivedAt),
    rows.map((row) => row.sequence),
    rows.map((row) => row.owner),
    rows.map((row) => row.ownerSequence),
  ];
  if (numbers === 0) {
    if (rows.length > 0) tx.send(saveMessages, columns);
    return async () => 0;
  }
  const drawn = tx.rows(saveNumberedMessages, [
    numbers,
    ...columns,
    messages.map(({ offset }) => offset),
    messages.map(({ toAll }) => toAll),
    messages.map(({ toOwner }) => toOwner),
  ]);
  return async () => {
    const [first] = await drawn;
    if (first === undefined) throw new Error('the counter of messages is gone');
    return first;
  };
}

function entryOf(order: Order | null): ListEntry {
  return order !== null && isShown(order) ? { owner: order.owner, state: order.status } : null;
}

function bare(order: Order): NewRow<typeof orders> {
  return { ...orderRow(order) };
}

/** In the order of their ids: two that make the same orders never wait for each other in a circle. */
function byId(orders: Iterable<Order>): Order[] {
  return [...orders].sort((a, b) => a.id - b.id);
}
