import { describeHistories } from '../simulator/describe-histories.ts';
import { groundsOfFile } from '../simulator/grounds-of-file.ts';
import { landInSqlite } from '../simulator/land-in-sqlite.ts';
import { simulate } from '../simulator/simulate.ts';

const grounds = groundsOfFile(landInSqlite);

describeHistories('simulated histories of buying', (seed) => simulate(grounds, seed), {
  from: 3_001,
  count: 1_000,
});
