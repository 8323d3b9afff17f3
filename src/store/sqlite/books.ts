import { type Budget, book, emptyBudget } from '../../domain/budget/budget.ts';
import type { CallerName, OrderId } from '../../domain/ids.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';
import { endedLine, type KeptLine, type Line, receiptLine } from '../book-lines.ts';
import { budgetFrom, lineFrom } from '../rows/book-line.ts';
import type { Base } from './base.ts';
import { rowFinder } from './read-rows.ts';
import { budgetEntries, budgets } from './tables.ts';
import { rowWriter } from './write-rows.ts';

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

export function createBooks({ database }: Base): Books {
  const findBudget = rowFinder(database, budgets, 'where caller = ?');
  const findOfOrder = rowFinder(database, budgetEntries, 'where order_id = ?');
  const saveBudget = rowWriter(database, budgets, { replaceBy: ['caller'] });
  const addEntry = rowWriter(database, budgetEntries, 'fail');

  function of(caller: CallerName): Budget {
    const row = findBudget.one(caller);
    return row === undefined ? emptyBudget : budgetFrom(row);
  }

  function add(line: Line, at: Instant): void {
    const { caller, ...rest } = line;
    addEntry({ caller, ...rest, at });
    saveBudget({ caller, ...book(of(caller), line) });
  }

  /** What an order cost and what came back. */
  function linesOf(orderId: OrderId): KeptLine[] {
    return findOfOrder.all(orderId).map(lineFrom);
  }

  return {
    of,
    add,
    setLimit: (caller, limit) => {
      saveBudget({ caller, ...of(caller), limit });
    },
    giveBack(orderId, at) {
      const line = endedLine(linesOf(orderId));
      if (line !== null) add(line, at);
    },
    giveBackByReceipt(orderId, refund, at) {
      const line = receiptLine(linesOf(orderId), refund);
      if (line !== null) add(line, at);
    },
  };
}
