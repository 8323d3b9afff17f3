import { expect, it } from 'vitest';
import { describeHistories } from '../describe-histories.ts';
import { groundsOfFile } from '../grounds-of-file.ts';
import { landInSqlite } from '../land-in-sqlite.ts';
import { simulate } from './simulate.ts';

const grounds = groundsOfFile(landInSqlite);

describeHistories('supplying', (seed) => simulate(grounds, seed), { from: 1, count: 20 });

// A line that there was no room for carried the status of a full order.
it('seed 2027 is sound', { timeout: 60_000 }, async () => {
  expect((await simulate(grounds, 2_027)).violations).toEqual([]);
});
