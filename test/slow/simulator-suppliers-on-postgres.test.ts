import { describe } from 'vitest';
import { describeHistories } from '../simulator/describe-histories.ts';
import { groundsOfFile } from '../simulator/grounds-of-file.ts';
import { landInPostgres } from '../simulator/land-in-postgres.ts';
import { simulate } from '../simulator/supplier/simulate.ts';
import { findPostgres } from '../store/postgres/support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('PostgreSQL', () => {
  const grounds = groundsOfFile(() => landInPostgres(server ?? ''));
  describeHistories('simulated histories of supplying', (seed) => simulate(grounds, seed), {
    from: 1,
    count: 30,
  });

  // Together they meet in the database, and the one that comes first is another each time: no seed tells such a history again.
  const crowded = groundsOfFile(() => landInPostgres(server ?? '', 'all at once'));
  describeHistories('histories of supplying all at once', (seed) => simulate(crowded, seed), {
    from: 101,
    count: 10,
  });
});
