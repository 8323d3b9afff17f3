import { expect, it } from 'vitest';
import { describeHistories } from '../describe-histories.ts';
import { groundsOfFile } from '../grounds-of-file.ts';
import { landInSqlite } from '../land-in-sqlite.ts';
import { simulate } from './simulate.ts';

const grounds = groundsOfFile(landInSqlite);

/*
 * Known to bite: each of these rules was broken by hand in src/, and found by a seed up to 80.
 * - An order is adopted while a pull that may hold it is open (38: the pull's answer was heard in time, and gave less).
 * - An order that is claimed already is claimed once more at the end of a pull (24: followers are told of it twice).
 * - A delivery's lease ends after five seconds (28, 59: two sends on one order overlap).
 * - Three places at the supplier API instead of two (1, 2: a third call leaves beside two).
 * Not simulated: an hour without a clear answer. That lines of an expired delivery may have been stored is held by
 * test/flows/supplier/expired-delivery.test.ts.
 */

describeHistories('simulated histories of supplying', (seed) => simulate(grounds, seed), {
  from: 1,
  count: 40,
});

// A line that there was no room for carried the status of a full order.
it('seed 2027 is sound', { timeout: 60_000 }, async () => {
  expect((await simulate(grounds, 2_027)).violations).toEqual([]);
});
