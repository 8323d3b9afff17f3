import { describe, expect, it } from 'vitest';

interface Report {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
}

/** A history to look at closely: `SIMULATOR_SEED=42 npx vitest run` with the file whose history it is tells all of it. */
const asked = process.env['SIMULATOR_SEED'];

/** Histories of one test: what fails is told after a few seconds, not at the end. */
const PER_TEST = 10;
/** Milliseconds: a busy machine is no fault. */
const PATIENCE = 120_000;
/** Lines of a failed history that are printed. */
const MOST_LINES = 400;

/** Simulated histories by their seeds; what must hold (faults.md: I1 to I10, L1, and the budget's) is looked at in each. */
export function describeHistories(
  title: string,
  simulate: (seed: number) => Promise<Report>,
  { from, count }: { readonly from: number; readonly count: number },
): void {
  describe(title, () => {
    if (asked !== undefined) {
      it(`seed ${asked}`, async () => {
        const report = await simulate(Number(asked));
        process.stdout.write(`${report.history.join('\n')}\n`);
        expectSound(report);
      });
      return;
    }
    for (let first = from; first < from + count; first += PER_TEST) {
      const last = Math.min(first + PER_TEST, from + count) - 1;
      it(`seeds ${first} to ${last}`, { timeout: PATIENCE }, async () => {
        for (let seed = first; seed <= last; seed++) expectSound(await simulate(seed));
      });
    }
  });
}

function expectSound({ seed, violations, history }: Report): void {
  if (violations.length === 0) return;
  expect.fail(
    [
      `seed ${seed} (SIMULATOR_SEED=${seed} repeats it):`,
      ...violations,
      '',
      'its history:',
      ...history.slice(-MOST_LINES),
    ].join('\n'),
  );
}
