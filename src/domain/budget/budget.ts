import { minus, noRupiah, plus, type Rupiah } from '../money.ts';

/** What one caller may spend and has spent. `limit` is null where the caller has none; the books are kept all the same. */
export interface Budget {
  readonly limit: Rupiah | null;
  readonly spent: Rupiah;
  /** Held for attempts whose outcome is not known. */
  readonly reserved: Rupiah;
}

export const emptyBudget: Budget = { limit: null, spent: noRupiah, reserved: noRupiah };

export const budgetEntryKinds = ['RESERVED', 'FREED', 'SPENT', 'REFUNDED'] as const;
export type BudgetEntryKind = (typeof budgetEntryKinds)[number];

/** One line of the books. Replaying all of a caller's lines gives its budget. */
export interface BudgetEntry {
  readonly kind: BudgetEntryKind;
  readonly amount: Rupiah;
}

/**
 * limit >= spent + reserved + amount. Checked and booked in one store transaction, or two creates would both pass. Even
 * without a limit there is no room for sums that could not be booked exactly.
 */
export function hasRoomFor(budget: Budget, amount: Rupiah): boolean {
  const total = budget.spent + budget.reserved + amount;
  return total <= (budget.limit ?? Number.MAX_SAFE_INTEGER);
}

export function book(budget: Budget, entry: BudgetEntry): Budget {
  switch (entry.kind) {
    case 'RESERVED':
      return { ...budget, reserved: plus(budget.reserved, entry.amount) };
    case 'FREED':
      return { ...budget, reserved: minus(budget.reserved, entry.amount) };
    case 'SPENT':
      return { ...budget, spent: plus(budget.spent, entry.amount) };
    case 'REFUNDED':
      return { ...budget, spent: minus(budget.spent, entry.amount) };
  }
}

/** What is left; never below zero in the telling, though a charge above its reserve may have overdrawn the limit. */
export function remaining(budget: Budget & { readonly limit: Rupiah }): Rupiah {
  const rest = minus(minus(budget.limit, budget.spent), budget.reserved);
  return rest > 0 ? rest : noRupiah;
}
