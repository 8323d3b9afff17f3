import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../../src/store/postgres/batcher.ts';

describe('a batcher', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  function batches(options: { most: number; atOnce: number }) {
    const seen: (readonly number[])[] = [];
    const ends: (() => void)[] = [];
    const add = createBatcher<number, string>(options, async (items) => {
      seen.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes(13)) throw new Error('unlucky');
      return items.map((item) => `${item}!`);
    });
    return { seen, add, end: () => ends.shift()?.() };
  }

  it('does in one go what came in one turn, and answers each', async () => {
    const { seen, add, end } = batches({ most: 9, atOnce: 1 });
    const answers = [1, 2, 3].map(add);
    await turn();
    expect(seen).toEqual([[1, 2, 3]]);
    end();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!']);
  });

  it('takes no more than it may, in as many batches at once as it may', async () => {
    const { seen, add, end } = batches({ most: 2, atOnce: 2 });
    const answers = [1, 2, 3, 4, 5, 6, 7].map(add);
    await turn();
    expect(seen).toEqual([
      [1, 2],
      [3, 4],
    ]);
    end();
    await turn();
    await turn();
    expect(seen).toHaveLength(3);
    for (let left = 0; left < 4; left++) {
      end();
      await turn();
      await turn();
    }
    expect(await Promise.all(answers)).toHaveLength(7);
    expect(seen.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('gathers what comes while all are under way', async () => {
    const { seen, add, end } = batches({ most: 9, atOnce: 1 });
    const first = add(1);
    await turn();
    const later = [add(2), add(3)];
    await turn();
    expect(seen).toEqual([[1]]);
    end();
    await first;
    await turn();
    expect(seen).toEqual([[1], [2, 3]]);
    end();
    await Promise.all(later);
  });

  it('fails those of a batch that fails, and goes on', async () => {
    const { add, end } = batches({ most: 2, atOnce: 1 });
    const unlucky = Promise.allSettled([add(12), add(13)]);
    await turn();
    end();
    expect((await unlucky).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const lucky = add(14);
    await turn();
    end();
    expect(await lucky).toBe('14!');
  });
});
