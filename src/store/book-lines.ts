import type { BudgetEntryKind } from '../domain/budget/budget.ts';
import type { AttemptId, CallerName, OrderId } from '../domain/ids.ts';
import { minus, type Rupiah, sum } from '../domain/money.ts';

/** A line of a caller's books. */
export interface Line {
  readonly caller: CallerName;
  readonly kind: BudgetEntryKind;
  readonly amount: Rupiah;
  readonly attemptId: AttemptId | null;
  readonly orderId: OrderId | null;
  readonly note: 'reserve' | 'outcome' | 'charge' | 'ended' | 'receipt';
}

/** As it is kept: `note` may be one of a newer kind. */
export type KeptLine = Omit<Line, 'note'> & { readonly note: string };

/** An order has ended in a way that gives back what it cost. Null if something came back already, or nobody paid. */
export function endedLine(ofOrder: readonly KeptLine[]): Line | null {
  const paid = ofOrder.find(({ kind }) => kind === 'SPENT');
  if (paid === undefined || ofOrder.some(({ kind }) => kind === 'REFUNDED')) return null;
  return { ...paid, kind: 'REFUNDED', note: 'ended' };
}

/** A receipt tells exactly what came back: it also sets right what was booked before it. Null if it was booked. */
export function receiptLine(ofOrder: readonly KeptLine[], refund: Rupiah): Line | null {
  const paid = ofOrder.find(({ kind }) => kind === 'SPENT');
  const back = ofOrder.filter(({ kind }) => kind === 'REFUNDED');
  if (paid === undefined || back.some(({ note }) => note === 'receipt')) return null;
  return {
    ...paid,
    kind: 'REFUNDED',
    amount: minus(refund, sum(back.map(({ amount }) => amount))),
    note: 'receipt',
  };
}
