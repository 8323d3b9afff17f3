import { expect, it } from 'vitest';
import { describeHistories } from './describe-histories.ts';
import { groundsOfFile } from './grounds-of-file.ts';
import { landInSqlite } from './land-in-sqlite.ts';
import { simulate } from './simulate.ts';

const grounds = groundsOfFile(landInSqlite);

describeHistories('buying', (seed) => simulate(grounds, seed), { from: 1, count: 50 });

it('a seed tells the same history every time', { timeout: 60_000 }, async () => {
  const { history } = await simulate(grounds, 24);
  expect((await simulate(grounds, 24)).history).toEqual(history);
  expect(history.length).toBeGreaterThan(20);
});
