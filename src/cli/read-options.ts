import { type Scope, scopes } from '../domain/access.ts';
import { type CallerName, parseCallerName } from '../domain/ids.ts';
import { parseRupiah, type Rupiah } from '../domain/money.ts';

const LONGEST_LIFE_DAYS = 36_500;

/** @throws RangeError naming what is allowed. */
export function readScopes(text: string): readonly Scope[] {
  const asked = text.split(',').map((scope) => scope.trim().toUpperCase());
  const known = scopes.filter((scope) => asked.includes(scope));
  if (known.length === 0 || known.length !== new Set(asked).size) {
    throw new RangeError(`must be one or more of ${scopes.join(', ')}, comma-separated`);
  }
  return known;
}

/** @throws RangeError naming what is allowed. */
export function readCaller(text: string): CallerName {
  const caller = parseCallerName(text);
  if (caller === null) {
    throw new RangeError('must be 1 to 64 letters, digits and _ . -, beginning with a letter or digit');
  }
  return caller;
}

/** @throws RangeError naming what is allowed. */
export function readBudget(text: string): Rupiah {
  const amount = /^\d{1,16}$/.test(text) ? parseRupiah(Number(text)) : null;
  if (amount === null) throw new RangeError('must be a whole number of rupiah in plain digits');
  return amount;
}

/** @throws RangeError naming what is allowed. */
export function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > LONGEST_LIFE_DAYS)
    throw new RangeError(`must be a whole number from 1 to ${LONGEST_LIFE_DAYS}`);
  return days;
}
