import { customType } from 'drizzle-orm/sqlite-core';
import { fromStoredText, toStoredText } from '../stored-text.ts';

/** Text that comes from outside, kept reversibly (stored-text.ts). Ids of our own pattern need no such care. */
export const freeText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: toStoredText,
  fromDriver: fromStoredText,
});
