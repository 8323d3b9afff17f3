import { and, eq, sql } from 'drizzle-orm';
import { type Budget, type BudgetEntryKind, book, emptyBudget } from '../../domain/budget/budget.ts';
import {
  type AttemptId,
  type CallerName,
  type OrderId,
  parseAttemptId,
  parseCallerName,
} from '../../domain/ids.ts';
import { minus, parseRupiah, type Rupiah, sum } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';
import { rowReader } from '../bad-row.ts';
import type { Base } from './base.ts';
import { budgetEntries, budgets } from './tables.ts';
import { rowWriter } from './write-rows.ts';

export interface Line {
  readonly caller: CallerName;
  readonly kind: BudgetEntryKind;
  readonly amount: Rupiah;
  readonly attemptId: AttemptId | null;
  readonly orderId: OrderId | null;
  readonly note: 'reserve' | 'outcome' | 'charge' | 'ended' | 'receipt';
}

interface OrderLine extends Pick<Line, 'caller' | 'attemptId' | 'amount'> {
  readonly note: string;
}

/** The callers' books: each line and the sums it changes, in step. To be used inside of a write alone. */
export interface Books {
  of(caller: CallerName): Budget;
  add(line: Line, at: Instant): void;
  setLimit(caller: CallerName, limit: Rupiah): void;
  /** An order has ended in a way that gives back what it cost; nothing if something came back already, or nobody paid. */
  giveBack(orderId: OrderId, at: Instant): void;
  /** A receipt tells exactly what came back: it also sets right what was booked before it. */
  giveBackByReceipt(orderId: OrderId, amount: Rupiah, at: Instant): void;
}

export function createBooks({ database, db }: Base): Books {
  const findBudget = db
    .select()
    .from(budgets)
    .where(eq(budgets.caller, sql.placeholder('caller')))
    .prepare();
  const findOfOrder = db
    .select()
    .from(budgetEntries)
    .where(
      and(
        eq(budgetEntries.orderId, sql.placeholder('orderId')),
        eq(budgetEntries.kind, sql.placeholder('kind')),
      ),
    )
    .prepare();
  const saveBudget = rowWriter(database, budgets, { replaceBy: ['caller'] });
  const addEntry = rowWriter(database, budgetEntries, 'fail');

  function of(caller: CallerName): Budget {
    const row = findBudget.get({ caller });
    if (row === undefined) return emptyBudget;
    const read = rowReader('budgets', caller);
    return {
      limit: read.maybe(row.limit, parseRupiah),
      spent: read.sure(parseRupiah(row.spent)),
      reserved: read.sure(parseRupiah(row.reserved)),
    };
  }

  function add(line: Line, at: Instant): void {
    const { caller, ...rest } = line;
    addEntry({ caller, ...rest, at });
    saveBudget({ caller, ...book(of(caller), line) });
  }

  function orderLines(orderId: OrderId, kind: BudgetEntryKind): OrderLine[] {
    return findOfOrder.all({ orderId, kind }).map((row) => {
      const read = rowReader('budget_entries', row.id);
      return {
        caller: read.sure(parseCallerName(row.caller)),
        attemptId: read.maybe(row.attemptId, parseAttemptId),
        amount: read.sure(parseRupiah(row.amount)),
        note: row.note,
      };
    });
  }

  return {
    of,
    add,
    setLimit: (caller, limit) => {
      saveBudget({ caller, ...of(caller), limit });
    },
    giveBack(orderId, at) {
      const paid = orderLines(orderId, 'SPENT')[0];
      if (paid === undefined || orderLines(orderId, 'REFUNDED').length > 0) return;
      const { caller, attemptId, amount } = paid;
      add({ caller, kind: 'REFUNDED', amount, attemptId, orderId, note: 'ended' }, at);
    },
    giveBackByReceipt(orderId, refund, at) {
      const paid = orderLines(orderId, 'SPENT')[0];
      const before = orderLines(orderId, 'REFUNDED');
      if (paid === undefined || before.some(({ note }) => note === 'receipt')) return;
      const { caller, attemptId } = paid;
      const amount = minus(refund, sum(before.map((line) => line.amount)));
      add({ caller, kind: 'REFUNDED', amount, attemptId, orderId, note: 'receipt' }, at);
    },
  };
}
