import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGrounds, type Grounds, type Land } from './ground.ts';
import { simulate as simulateBuying } from './simulate.ts';
import { simulate as simulateSupplying } from './supplier/simulate.ts';

interface Told {
  readonly history: readonly string[];
  readonly ledger: string;
}

interface Side {
  readonly simulate: (grounds: Grounds, seed: number) => Promise<Told>;
  /** In the second one, each restart opens the database anew. */
  readonly seeds: readonly [number, number];
  readonly before: readonly number[];
}

const sides: Readonly<Record<'buying' | 'supplying', Side>> = {
  buying: { simulate: simulateBuying, seeds: [3, 15], before: [5, 6] },
  supplying: { simulate: simulateSupplying, seeds: [7, 8], before: [5, 6] },
};

/** "Failing seed printed" (faults.md, Six harnesses) is worth something only if that seed alone tells the history again. */
export function describeReplays(makeLand: () => Promise<Land>): void {
  describe.each(Object.entries(sides))('a history of %s', (_name, { simulate, seeds, before }) => {
    it.each(seeds)(
      'depends on its seed %i alone, whatever took place before it',
      { timeout: 120_000 },
      async (seed) => {
        const [alone] = await traces(makeLand, simulate, [seed]);
        const behind = await traces(makeLand, simulate, [...before, seed, seed]);
        expect(behind.slice(-2)).toEqual([alone, alone]);
      },
    );
  });
}

/** Histories on one ground, in turn: digests of all that was told, the upstream's ledger, and the rows at the end. */
async function traces(
  makeLand: () => Promise<Land>,
  simulate: Side['simulate'],
  seeds: readonly number[],
): Promise<readonly string[]> {
  let rows: readonly string[] = [];
  const grounds = createGrounds(async () => {
    const land = await makeLand();
    return {
      ...land,
      async reset() {
        rows = await land.rows();
        await land.reset();
      },
    };
  });
  const all: string[] = [];
  for (const seed of seeds) {
    const { history, ledger } = await simulate(grounds, seed);
    expect(history.length).toBeGreaterThan(20);
    expect(rows.length).toBeGreaterThan(10);
    all.push(
      createHash('sha256')
        .update([...history, ledger, ...rows].join('\n'))
        .digest('hex'),
    );
  }
  await grounds.leave();
  return all;
}
