import { bigint, customType } from 'drizzle-orm/pg-core';
import { fromStoredText, toStoredText } from '../stored-text.ts';

/** Text that comes from outside, kept reversibly (stored-text.ts): PostgreSQL refuses NUL and half a surrogate pair. */
export const freeText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: toStoredText,
  fromDriver: fromStoredText,
});

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Any whole number that JavaScript keeps exactly: ids, counts, money, and instants as milliseconds since 1970. */
export function whole<Name extends string>(name: Name) {
  return bigint(name, { mode: 'number' });
}
