import type { Brand } from './brand.ts';
import { isSafeInt } from './int.ts';

/** Whole Indonesian rupiah, no fraction, within the safe integer range. Never divided by 100. */
export type Rupiah = Brand<number, 'Rupiah'>;

/** Null for anything that is no safe integer. */
export function parseRupiah(value: unknown): Rupiah | null {
  // Adding 0 turns -0 into 0.
  return isSafeInt(value) ? ((value + 0) as Rupiah) : null;
}

/** @throws RangeError when the value is no safe integer: money is refused, never rounded. */
export function rupiah(value: number): Rupiah {
  const parsed = parseRupiah(value);
  if (parsed === null) throw new RangeError('an amount of rupiah must be a safe integer');
  return parsed;
}

export const noRupiah: Rupiah = rupiah(0);

/** @throws RangeError when the sum leaves the safe range. */
export function plus(a: Rupiah, b: Rupiah): Rupiah {
  return rupiah(a + b);
}

/** @throws RangeError when the difference leaves the safe range. */
export function minus(a: Rupiah, b: Rupiah): Rupiah {
  return rupiah(a - b);
}

/** @throws RangeError when the sum leaves the safe range. */
export function sum(amounts: readonly Rupiah[]): Rupiah {
  return amounts.reduce(plus, noRupiah);
}

export function larger(a: Rupiah, b: Rupiah): Rupiah {
  return a >= b ? a : b;
}
