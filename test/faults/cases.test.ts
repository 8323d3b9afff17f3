import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsPage, runOf } from '../../scripts/faults/faults.ts';
import { allCases } from './cases/all.ts';

const root = new URL('../../', import.meta.url);
const text = (file: string): string => readFileSync(new URL(file, root), 'utf8');
/** How many cases each section has. */
const SIZES = { A: 26, B: 19, C: 14, D: 18, E: 16, F: 10, G: 28 };

describe('the list of what can go wrong', () => {
  test('is whole, and in order', () => {
    const ids = Object.entries(SIZES).flatMap(([section, size]) =>
      Array.from({ length: size }, (_, n) => `${section}${n + 1}`),
    );
    expect(allCases.map(({ id }) => id)).toEqual(ids);
  });

  test.each(allCases)('$id is proven by tests that exist, or struck with a reason', ({ proofs, struck }) => {
    expect(proofs.length > 0, 'one of both').toBe(struck === undefined);
    for (const [file, name] of proofs) {
      expect(existsSync(new URL(file, root)), file).toBe(true);
      const quoted = ["'", '"', '`'].map((quote) => `(${quote}${name}`);
      // A long name stands on a line of its own.
      const starts = text(file).replaceAll(/\(\s+(['"`])/g, '($1');
      expect(
        quoted.some((start) => starts.includes(start)),
        `${file}: ${name}`,
      ).toBe(true);
    }
  });

  test('is the page that is read', () => {
    expect(text('docs/faults.md'), 'npm run docs:faults writes it anew').toBe(faultsPage());
  });

  test('is run by files that the test runner knows', () => {
    const { files, pattern } = runOf(allCases);
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
    const names = new RegExp(pattern);
    for (const { proofs } of allCases)
      for (const [, name] of proofs) expect(names.test(name.replaceAll(/%\w|\$\w+/g, 'x')), name).toBe(true);
    expect(names.test('a test that proves no case of this list')).toBe(false);
  });
});
