import { type Budget, budgetEntryKinds } from '../../domain/budget/budget.ts';
import { parseAttemptId, parseCallerName, parseOrderId } from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import { rowReader } from '../bad-row.ts';
import type { KeptLine } from '../book-lines.ts';

export interface BudgetRow {
  readonly caller: string;
  readonly limit: number | null;
  readonly spent: number;
  readonly reserved: number;
}

export interface LineRow {
  readonly id: number;
  readonly caller: string;
  readonly attemptId: string | null;
  readonly orderId: number | null;
  readonly kind: string;
  readonly amount: number;
  readonly note: string;
}

export function budgetFrom(row: BudgetRow): Budget {
  const read = rowReader('budgets', row.caller);
  return {
    limit: read.maybe(row.limit, parseRupiah),
    spent: read.sure(parseRupiah(row.spent)),
    reserved: read.sure(parseRupiah(row.reserved)),
  };
}

export function lineFrom(row: LineRow): KeptLine {
  const read = rowReader('budget_entries', row.id);
  return {
    caller: read.sure(parseCallerName(row.caller)),
    kind: read.oneOf(row.kind, budgetEntryKinds),
    amount: read.sure(parseRupiah(row.amount)),
    attemptId: read.maybe(row.attemptId, parseAttemptId),
    orderId: read.maybe(row.orderId, parseOrderId),
    note: row.note,
  };
}
