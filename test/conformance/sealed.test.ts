import { describe } from 'vitest';
import { sealedStore } from '../../src/store/sealed-store.ts';
import { sqliteDatabase } from '../store/sqlite/support/sqlite-database.ts';
import { suites } from './suites.ts';
import { testCipher } from './support/cipher.ts';
import type { CreateDatabase } from './support/database.ts';

const sealedDatabase: CreateDatabase = async () => {
  const database = await sqliteDatabase();
  return {
    ...database,
    open: async (by) => sealedStore(await database.open(by), testCipher, 0),
  };
};

// Sealed in front of it, a store keeps every promise that it made.
describe('a sealed store', () => {
  for (const suite of suites) suite(sealedDatabase);
});
