import { z } from 'zod';
import { instant } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';

const chargeSchema = z.object({
  order_id: z.int(),
  amount: z.int(),
  idempotency_key: z.string().nullable(),
  operation: z.enum(['create', 'reactivate']),
  at: z.string(),
});
const refundSchema = z.object({
  order_id: z.int(),
  amount: z.int(),
  reason: z.enum(['canceled', 'expired']),
  at: z.string(),
});

export type Charge = z.output<typeof chargeSchema>;
export type Refund = z.output<typeof refundSchema>;

/** The account's money, whole rupiah: the balance is the opening balance, less the charges, plus the refunds. */
export type Money = {
  balance(): number;
  /** Moves the opening balance, so that the sum above still holds. */
  setBalance(balance: number): void;
  charge(charge: Omit<Charge, 'at'>, now: number): void;
  refund(refund: Omit<Refund, 'at'>, now: number): void;
  ledger(): {
    readonly balance: number;
    readonly opening_balance: number;
    readonly charges: readonly Charge[];
    readonly refunds: readonly Refund[];
  };
};

const OPENING_BALANCE = 25_000_000;

export function openMoney(journal: Journal): Money {
  let opening = OPENING_BALANCE;
  for (const [, value] of journal.entries('opening')) opening = z.int().parse(value);
  const charges = journal.entries('charge').map(([, value]) => chargeSchema.parse(value));
  const refunds = journal.entries('refund').map(([, value]) => refundSchema.parse(value));
  let balance = opening - sum(charges) + sum(refunds);

  return {
    balance: () => balance,
    setBalance(wanted) {
      opening += wanted - balance;
      balance = wanted;
      journal.put('opening', 'balance', opening);
    },
    charge(charge, now) {
      const entry = { ...charge, at: instant(now) };
      balance -= entry.amount;
      charges.push(entry);
      journal.put('charge', charges.length, entry);
    },
    refund(refund, now) {
      const entry = { ...refund, at: instant(now) };
      balance += entry.amount;
      refunds.push(entry);
      journal.put('refund', refunds.length, entry);
    },
    ledger: () => ({ balance, opening_balance: opening, charges, refunds }),
  };
}

function sum(entries: readonly { readonly amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
