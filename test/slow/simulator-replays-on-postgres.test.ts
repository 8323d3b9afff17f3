import { describe } from 'vitest';
import { describeReplays } from '../simulator/describe-replays.ts';
import { landInPostgres } from '../simulator/land-in-postgres.ts';
import { findPostgres } from '../store/postgres/support/services.ts';

const server = findPostgres();

describe.runIf(server !== null)('PostgreSQL', () => {
  describeReplays(() => landInPostgres(server ?? ''));
});
