import type { Balance } from '../../domain/balance.ts';
import { parseRupiah } from '../../domain/money.ts';
import { rowReader } from '../bad-row.ts';

export interface BalanceRow {
  readonly sequence: number;
  readonly currency: string;
  readonly amount: number;
  readonly asOf: number;
}

export function balanceFrom(row: BalanceRow): Balance {
  const read = rowReader('balances', row.sequence);
  return {
    sequence: row.sequence,
    currency: row.currency,
    amount: read.sure(parseRupiah(row.amount)),
    asOf: read.instant(row.asOf),
  };
}
