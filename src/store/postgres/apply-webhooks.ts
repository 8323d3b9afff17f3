import type { OrderId } from '../../domain/ids.ts';
import { snapshotOf, type WebhookEvent } from '../../domain/sms/event.ts';
import type { Instant } from '../../domain/time.ts';
import type { Inbox, InboxRecord, InboxResult } from '../../ports/store/inbox.ts';
import { rowReader } from '../bad-row.ts';
import { nextTryAt } from '../inbox-backoff.ts';
import { createOrderSheet, type MergedOrder, type OrderSheet } from '../order-sheet.ts';
import { StoreUnavailable } from '../unavailable.ts';
import type { Base } from './base.ts';
import { createLedger, lockedBudgets } from './ledger.ts';
import { lockedOrders, orderIdOf } from './load-orders.ts';
import { command, select, statement, wholeNumber } from './statements.ts';
import { inbox } from './tables.ts';
import { keep, leave, type Outcome, type Transaction } from './transaction.ts';
import { tally, writeMessages, writeOrders } from './write-orders.ts';

interface Item {
  readonly record: InboxRecord;
  readonly event: WebhookEvent;
}

type InboxRow = typeof inbox.$inferSelect;
type Failed = Extract<InboxResult, { kind: 'failed' }>;

// An order's records are worked off by one at a time, in their order: of two workers that each hold some, one could accept a
// higher revision before the other's lower one, which then would be passed over as old.
const tryOrders = statement(
  'select id from unnest($2::bigint[]) as id where pg_try_advisory_xact_lock($1::int, id::int)',
  ([id]) => wholeNumber(id),
);
const waitForOrder = command('select pg_advisory_xact_lock($1::int, $2::int)');
const lockRecords = select(
  inbox,
  `where id = any($1::bigint[]) and state = 'PENDING' and (order_id is null or order_id = any($2::bigint[]))
   order by id for update skip locked`,
);
const settle = command(`update inbox set state = 'SETTLED', settled_at = $2 where id = any($1::bigint[])`);
const postpone = command(
  `update inbox set state = new.state, tries = new.tries, next_try_at = coalesce(new.next_try_at, inbox.next_try_at)
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as new (id, state, tries, next_try_at)
   where inbox.id = new.id`,
);

export function createApplying({ database, spaces }: Base): Pick<Inbox, 'apply'> {
  return { apply };

  async function apply(batch: readonly Item[]): Promise<readonly InboxResult[]> {
    try {
      return await database.write((tx) => applyIn(tx, batch, null));
    } catch (error) {
      // A full disk is not a record's fault, and must not use up its tries.
      if (error instanceof StoreUnavailable) throw error;
      const [first, ...rest] = batch;
      if (first === undefined) return [];
      if (rest.length === 0) return database.write((tx) => applyIn(tx, batch, error));
      // One of them cannot be written, and the server does not tell which: each by itself, as in a savepoint.
      const results: InboxResult[] = [];
      for (const item of batch) results.push(...(await apply([item])));
      return results;
    }
  }

  /** `spoiled`: what its writing failed with, when there is only one. */
  async function applyIn(
    tx: Transaction,
    batch: readonly Item[],
    spoiled: unknown,
  ): Promise<Outcome<readonly InboxResult[]>> {
    const ids = batch.map(({ record }) => record.id);
    const snapshots = batch.flatMap(({ event }) =>
      event.kind === 'sms' || event.kind === 'ended' ? [snapshotOf(event)] : [],
    );
    const named = [...batch.flatMap(({ record }) => record.orderId ?? []), ...snapshots.map(({ id }) => id)];
    const ours = await ordersToOurselves(
      tx,
      [...new Set(named)].sort((a, b) => a - b),
    );
    const [rows, loaded, now] = await Promise.all([
      tx.rows(lockRecords, [ids, ours]),
      lockedOrders(tx, ours, snapshots),
      tx.now(),
    ]);
    const pending = new Map(rows.map((row) => [row.id, row]));
    const sheet = createOrderSheet(loaded, now);
    const settled: number[] = [];
    const failed: { readonly row: InboxRow; readonly result: Failed }[] = [];
    const results = batch.map(({ record, event }): ((firstNumber: number) => InboxResult) => {
      const row = pending.get(record.id);
      if (row === undefined) return () => ({ kind: 'gone', id: record.id });
      // Twice in one batch is once.
      pending.delete(record.id);
      try {
        if (spoiled !== null) throw spoiled;
        const merged = effectOf(sheet, row, event);
        settled.push(row.id);
        return (firstNumber) => applied(row, merged, firstNumber);
      } catch (error) {
        const result: Failed = { kind: 'failed', id: row.id, error, nextAt: nextTryAt(row.tries + 1, now) };
        failed.push({ row, result });
        return () => result;
      }
    });
    if (settled.length + failed.length === 0) return leave(results.map((result) => result(0)));
    if (settled.length > 0) tx.send(settle, [settled, now]);
    if (failed.length > 0) tx.send(postpone, postponed(failed));
    const firstNumber = await write(tx, sheet, now);
    return keep(async () => {
      const first = await firstNumber();
      return results.map((result) => result(first));
    });
  }

  /** Those of the orders that no other worker is at. Where others are at all of them, waits for one. */
  async function ordersToOurselves(tx: Transaction, wished: readonly OrderId[]): Promise<readonly OrderId[]> {
    const [first] = wished;
    if (first === undefined) return [];
    let granted = await tx.rows(tryOrders, [spaces.work, wished]);
    if (granted.length === 0) {
      // Nothing else is held yet: no circle can close here.
      await tx.rows(waitForOrder, [spaces.work, first]);
      granted = await tx.rows(tryOrders, [spaces.work, wished]);
    }
    return granted.map((id) => orderIdOf('inbox', id));
  }
}

/** Null for an event that acts on nothing. */
function effectOf(sheet: OrderSheet, row: InboxRow, event: WebhookEvent): MergedOrder | null {
  if (event.kind === 'test' || event.kind === 'nothing') return null;
  const readAt = rowReader('inbox', row.id).instant(row.receivedAt);
  return sheet.merge(snapshotOf(event), { source: 'WEBHOOK', readAt, adoption: null });
}

function applied(row: InboxRow, merged: MergedOrder | null, firstNumber: number): InboxResult {
  return {
    kind: 'applied',
    id: row.id,
    order: merged?.order ?? null,
    news: merged?.sms(firstNumber) ?? null,
    conflict: merged?.conflict ?? false,
  };
}

async function write(tx: Transaction, { written }: OrderSheet, now: Instant): Promise<() => Promise<number>> {
  const ledger = createLedger();
  tally(written, ledger);
  const budgets = await lockedBudgets(tx, ledger.callers());
  writeOrders(tx, written);
  ledger.write(tx, budgets, now);
  return writeMessages(tx, written);
}

function postponed(failed: readonly { readonly row: InboxRow; readonly result: Failed }[]): unknown[] {
  return [
    failed.map(({ row }) => row.id),
    failed.map(({ result }) => (result.nextAt === null ? 'DEAD' : 'PENDING')),
    failed.map(({ row }) => row.tries + 1),
    failed.map(({ result }) => result.nextAt),
  ];
}
