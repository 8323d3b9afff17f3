import { describe } from 'vitest';
import { usePostgres } from '../store/postgres/support/postgres-database.ts';
import { findPostgres } from '../store/postgres/support/services.ts';
import { suites } from './suites.ts';

const server = findPostgres();

describe.runIf(server !== null)('PostgreSQL', () => {
  const create = usePostgres(server ?? '');
  for (const suite of suites) suite(create);
});
