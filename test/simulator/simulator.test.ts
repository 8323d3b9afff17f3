import { describeHistories } from './describe-histories.ts';
import { groundsOfFile } from './grounds-of-file.ts';
import { landInSqlite } from './land-in-sqlite.ts';
import { simulate } from './simulate.ts';

const grounds = groundsOfFile(landInSqlite);

describeHistories('simulated histories of buying', (seed) => simulate(grounds, seed), { from: 1, count: 60 });
