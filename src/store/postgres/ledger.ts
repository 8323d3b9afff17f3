import { type Budget, book } from '../../domain/budget/budget.ts';
import type { CallerName } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';
import { BadRow } from '../bad-row.ts';
import type { Line } from '../book-lines.ts';
import type { Contribution } from '../order-contribution.ts';
import { budgetFrom } from '../rows/book-line.ts';
import { command, insertInto, select, update } from './statements.ts';
import { budgetEntries, budgets } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** Under what a row of a list is counted; null: it is not in the list. */
export type ListEntry = { readonly owner: CallerName | null; readonly state: string } | null;

/** What one transaction books and counts. It is written at its end, each kind in one statement. */
export interface Ledger {
  add(...lines: readonly Line[]): void;
  count(contribution: Contribution, sign: 1 | -1): void;
  move(list: 'attempts' | 'orders', from: ListEntry, to: ListEntry): void;
  /** Whose budgets `write` needs, locked. */
  callers(): readonly CallerName[];
  write(tx: Transaction, locked: ReadonlyMap<CallerName, Budget>, at: Instant): void;
}

/*
 * Rows that all writers count in are kept in parts, by connection (SLOT), and each statement takes its rows in their order:
 * two connections of one part wait for each other, and never in a circle.
 */
const SLOT = 'pg_backend_pid() % 16';

const makeBudgets = command(
  'insert into budgets (caller, spent, reserved) select caller, 0, 0 from unnest($1::text[]) as caller order by caller on conflict do nothing',
);
const lockBudgets = select(budgets, 'where caller = any($1::text[]) order by caller for no key update');
const saveBudgets = update(budgets, 'caller');
const addEntries = insertInto(budgetEntries);
const addTotals = command(
  `insert into list_totals (list, owner, state, slot, total)
   select list, owner, state, ${SLOT}, change
   from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as new (list, owner, state, change) order by 1, 2, 3
   on conflict (list, owner, state, slot) do update set total = list_totals.total + excluded.total`,
);
const GROUP = 'hour, owner, platform_id, country_id, operator_id, product_id';
const GROUP_ARRAYS = '$1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]';
const addCounts = command(
  `insert into order_counts (${GROUP}, slot, orders, received, expired, canceled, failed)
   select ${GROUP}, ${SLOT}, orders, received, expired, canceled, failed
   from unnest(${GROUP_ARRAYS}, $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
     as new (${GROUP}, orders, received, expired, canceled, failed) order by 1, 2, 3, 4, 5, 6
   on conflict (${GROUP}, slot) do update set orders = order_counts.orders + excluded.orders,
     received = order_counts.received + excluded.received, expired = order_counts.expired + excluded.expired,
     canceled = order_counts.canceled + excluded.canceled, failed = order_counts.failed + excluded.failed`,
);
const addTimes = command(
  `insert into sms_times (${GROUP}, slot, bin, count, longest)
   select ${GROUP}, ${SLOT}, bin, count, longest
   from unnest(${GROUP_ARRAYS}, $7::bigint[], $8::bigint[], $9::bigint[])
     as new (${GROUP}, bin, count, longest) order by 1, 2, 3, 4, 5, 6, bin
   on conflict (${GROUP}, bin, slot) do update set count = sms_times.count + excluded.count,
     longest = greatest(sms_times.longest, excluded.longest)`,
);

/** Locks the callers' budgets, made where missing. */
export async function lockedBudgets(
  tx: Transaction,
  callers: readonly CallerName[],
): Promise<ReadonlyMap<CallerName, Budget>> {
  if (callers.length === 0) return new Map();
  tx.send(makeBudgets, [callers]);
  const rows = await tx.rows(lockBudgets, [callers]);
  const byName = new Map(rows.map((row) => [row.caller, row]));
  return new Map(
    callers.map((caller) => {
      const row = byName.get(caller);
      if (row === undefined) throw new BadRow('budgets', caller);
      return [caller, budgetFrom(row)];
    }),
  );
}

export function createLedger(): Ledger {
  const lines: Line[] = [];
  const counts = new Map<string, Contribution>();
  const times = new Map<string, Contribution & { readonly count: number }>();
  const totals = new Map<
    string,
    { readonly list: string; readonly owner: string; readonly state: string; change: number }
  >();

  function change(list: string, entry: ListEntry, by: 1 | -1): void {
    if (entry === null) return;
    const owner = entry.owner ?? '';
    const key = `${list} ${owner} ${entry.state}`;
    const known = totals.get(key) ?? { list, owner, state: entry.state, change: 0 };
    totals.set(key, { ...known, change: known.change + by });
  }

  return {
    add: (...more) => void lines.push(...more),
    count(contribution, sign) {
      const { key, counts: told, firstSms } = contribution;
      const name = JSON.stringify(key);
      const before = counts.get(name)?.counts ?? nothing;
      counts.set(name, {
        key,
        counts: {
          orders: before.orders + sign * told.orders,
          received: before.received + sign * told.received,
          expired: before.expired + sign * told.expired,
          canceled: before.canceled + sign * told.canceled,
          failed: before.failed + sign * told.failed,
        },
        firstSms: null,
      });
      if (firstSms === null) return;
      const binName = `${name} ${firstSms.bin}`;
      const known = times.get(binName);
      const longest = Math.max(known?.firstSms?.milliseconds ?? 0, sign === 1 ? firstSms.milliseconds : 0);
      times.set(binName, {
        key,
        counts: told,
        firstSms: { bin: firstSms.bin, milliseconds: longest },
        count: (known?.count ?? 0) + sign,
      });
    },
    move(list, from, to) {
      if (from?.owner === to?.owner && from?.state === to?.state) return;
      change(list, from, -1);
      change(list, to, 1);
    },
    callers: () => [...new Set(lines.map(({ caller }) => caller))].sort(),
    write(tx, locked, at) {
      const after = new Map(locked);
      for (const line of lines) {
        const budget = after.get(line.caller);
        if (budget === undefined) throw new Error('a budget was not locked before it is booked on');
        after.set(line.caller, book(budget, line));
      }
      if (lines.length > 0) {
        const booked = [...new Set(lines.map(({ caller }) => caller))];
        tx.send(saveBudgets, saveBudgets.values(booked.map((caller) => rowOf(caller, after))));
        tx.send(addEntries, addEntries.values(lines.map((line) => ({ ...line, at }))));
      }
      const moved = [...totals.values()].filter((total) => total.change !== 0);
      if (moved.length > 0)
        tx.send(addTotals, arrays(moved.map((m) => [m.list, m.owner, m.state, m.change])));
      const counted = [...counts.values()].filter((one) => Object.values(one.counts).some((n) => n !== 0));
      if (counted.length > 0) {
        tx.send(
          addCounts,
          arrays(
            counted.map(({ key, counts: c }) => [
              ...groupOf(key),
              c.orders,
              c.received,
              c.expired,
              c.canceled,
              c.failed,
            ]),
          ),
        );
      }
      const timed = [...times.values()].filter(({ count }) => count !== 0);
      if (timed.length > 0) {
        tx.send(
          addTimes,
          arrays(
            timed.map(({ key, firstSms, count }) => [
              ...groupOf(key),
              firstSms?.bin ?? 0,
              count,
              firstSms?.milliseconds ?? 0,
            ]),
          ),
        );
      }
    },
  };
}

const nothing = { orders: 0, received: 0, expired: 0, canceled: 0, failed: 0 };

function rowOf(caller: CallerName, budgetsNow: ReadonlyMap<CallerName, Budget>) {
  const budget = budgetsNow.get(caller);
  if (budget === undefined) throw new Error('a budget was not locked before it is booked on');
  return { caller, ...budget };
}

function groupOf({ hour, owner, platformId, countryId, operatorId, productId }: Contribution['key']) {
  return [hour, owner, platformId, countryId, operatorId, productId];
}

/** One array for each column of the rows. */
function arrays(rows: readonly (readonly (string | number)[])[]): unknown[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}
