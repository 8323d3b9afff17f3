import { describeHistories } from '../simulator/describe-histories.ts';
import { groundsOfFile } from '../simulator/grounds-of-file.ts';
import { landInSqlite } from '../simulator/land-in-sqlite.ts';
import { simulate } from '../simulator/supplier/simulate.ts';

const grounds = groundsOfFile(landInSqlite);

// Two files, for two workers.
describeHistories('simulated histories of supplying', (seed) => simulate(grounds, seed), {
  from: 1_001,
  count: 200,
});
