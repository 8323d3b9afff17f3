import { describe } from 'vitest';
import { sqliteDatabase } from '../store/sqlite/support/sqlite-database.ts';
import { suites } from './suites.ts';

describe('SQLite', () => {
  for (const suite of suites) suite(sqliteDatabase);
});
