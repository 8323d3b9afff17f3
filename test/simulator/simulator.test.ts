import { expect, it } from 'vitest';
import { describeHistories } from './describe-histories.ts';
import { simulate } from './simulate.ts';

describeHistories('buying', simulate, { from: 1, count: 100 });

it('a seed tells the same history every time', async () => {
  const { history } = await simulate(24);
  expect((await simulate(24)).history).toEqual(history);
  expect(history.length).toBeGreaterThan(20);
});
