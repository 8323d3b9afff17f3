import { expect, it } from 'vitest';
import { describeHistories } from '../describe-histories.ts';
import { simulate } from './simulate.ts';

describeHistories('supplying', simulate, { from: 1, count: 30 });

it('a seed tells the same history every time', async () => {
  const { history } = await simulate(7);
  expect((await simulate(7)).history).toEqual(history);
  expect(history.length).toBeGreaterThan(20);
});
