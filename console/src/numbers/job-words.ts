import type { Texts } from '../texts/en.ts';
import type { Format } from '../texts/format.ts';
import type { JobOutcome } from './job-documents.ts';

export interface Told {
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  readonly text: string;
  /** Still on its way: what it comes to follows by itself. */
  readonly isOpen: boolean;
}

/** What became of a paid request, for people. Null: all is well, and the numbers themselves say so. */
export function tellOutcome(outcome: JobOutcome, { job: t }: Texts, format: Format): Told | null {
  const open = (text: string, tone: Told['tone'] = 'plain'): Told => ({ tone, text, isOpen: true });
  const over = (text: string, tone: Told['tone'] = 'bad'): Told => ({ tone, text, isOpen: false });
  switch (outcome.__typename) {
    case 'CreateOrderResolved':
    case 'CreateOrderPendingAssignment': {
      const { failedCount, attempt } = outcome;
      if (failedCount > 0) return over(t.someFailed(failedCount, format.number(failedCount)), 'warn');
      return attempt?.state === 'CLOSED' && outcome.orders.length === 0 ? over(t.closed, 'plain') : null;
    }
    case 'CreateOrderInFlight':
      return open(t.inFlight);
    case 'CreateOrderNeedsReconciliation':
      return open(t.reconciling(t.reasons[outcome.unclear], format.time(outcome.nextAttemptAt)), 'warn');
    case 'CreateOrderOperatorReview':
      return open(t.review, 'warn');
    case 'CreateOrderRejected':
      return over(t.rejected[outcome.code]);
    case 'CreateOrderInsufficientBalance':
      return over(
        outcome.balance === null ? t.insufficient : t.insufficientWith(format.money(outcome.balance.amount)),
      );
    case 'CreateOrderConflict':
      return over(t.conflict(format.list(outcome.differing)));
    case 'CreateOrderNotSent':
      return over([t.notSent[outcome.reason], ...detail(outcome, t, format)].join(' '));
  }
}

function detail(
  outcome: Extract<JobOutcome, { __typename: 'CreateOrderNotSent' }>,
  t: Texts['job'],
  format: Format,
): readonly string[] {
  const { reason, product, budget } = outcome;
  if (reason === 'PRICE_ABOVE_LIMIT' && product !== null) return [t.nowCosts(format.money(product.price))];
  if (reason === 'BUDGET_EXCEEDED' && budget !== null) return [t.remains(format.money(budget.remaining))];
  return [];
}
