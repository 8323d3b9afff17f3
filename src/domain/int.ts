const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** True for a whole number from -2^31 to 2^31-1: the upstream's ids and counts. */
export function isInt32(value: unknown): value is number {
  return Number.isInteger(value) && isWithin(value, INT32_MIN, INT32_MAX);
}

/** True for a whole number that JavaScript keeps exactly; the upstream's int64 beyond it is refused, never rounded. */
export function isSafeInt(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}
