import { expect, it } from 'vitest';
import { createFreshest } from '../../../src/flows/catalog/freshest.ts';
import type { ReadReply } from '../../../src/ports/numbers-api.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** Readings by key, three kept; each reading is a new number. */
function kept() {
  const clock = createFakeClock();
  const freshest = createFreshest<string, number>(clock, 3);
  const reads: string[] = [];
  const get = async (key: string, maxAge = 1_000): Promise<ReadReply<number>> =>
    freshest(key, maxAge, async () => {
      reads.push(key);
      return { kind: 'read', value: reads.length, readAt: clock.now() };
    });
  return { clock, reads, get };
}

it('keeps the last good reading of each key for as long as it is asked to', async () => {
  const { clock, reads, get } = kept();
  await get('a');
  await clock.pass(1_000);
  expect(await get('a')).toMatchObject({ value: 1 });
  expect(await get('a', 999)).toMatchObject({ value: 2 });
  expect(reads).toEqual(['a', 'a']);
});

it('drops the one that was unread the longest when there are too many', async () => {
  const { reads, get } = kept();
  for (const key of ['a', 'b', 'c']) await get(key);
  await get('a');
  await get('d');
  for (const key of ['a', 'c', 'd', 'b']) await get(key);
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'b']);
});

it('shares a failure with those who wait, and keeps it for nobody', async () => {
  const clock = createFakeClock();
  const freshest = createFreshest<string, number>(clock, 3);
  let reads = 0;
  const broken = (): Promise<ReadReply<number>> => {
    reads += 1;
    return Promise.reject(new Error('a bug'));
  };
  const asks = [freshest('a', 1, broken), freshest('a', 1, broken)];
  for (const ask of asks) await expect(ask).rejects.toThrow('a bug');
  expect(reads).toBe(1);
  await expect(freshest('a', 1, broken)).rejects.toThrow('a bug');
  expect(reads).toBe(2);
});
