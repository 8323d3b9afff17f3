import { sections } from '../../test/faults/cases/all.ts';
import type { FaultCase } from '../../test/faults/cases/fault-case.ts';

/** Rooms whose tests are written in several files, and run from these. */
const RUN_FROM: readonly (readonly [room: string, files: readonly string[]])[] = [
  ['test/crash/', ['test/crash/crash.test.ts', 'test/slow/crash.test.ts']],
  [
    'test/conformance/',
    [
      'test/conformance/sqlite.test.ts',
      'test/conformance/sealed.test.ts',
      'test/conformance/postgres.test.ts',
    ],
  ],
];

/** What the test runner is told, to run the proofs of these cases and no other tests. */
export function runOf(cases: readonly FaultCase[]): {
  readonly files: readonly string[];
  readonly pattern: string;
} {
  const proofs = cases.flatMap((one) => one.proofs);
  const files = new Set(proofs.flatMap(([file]) => filesOf(file)));
  const names = new Set(proofs.map(([, name]) => patternOf(name)));
  return { files: [...files].sort(), pattern: [...names].join('|') };
}

function filesOf(file: string): readonly string[] {
  if (file.endsWith('.test.ts')) return [file];
  const found = RUN_FROM.find(([room]) => file.startsWith(room));
  if (found === undefined) throw new Error(`${file} is run from no file that is known here`);
  return found[1];
}

/** A name as it is run: what a table fills in may be anything. */
function patternOf(name: string): string {
  return name
    .split(/%\w|\$\w+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}

/** docs/faults.md. */
export function faultsPage(): string {
  const parts = sections.map(({ title, cases }) => `## ${title}\n\n${cases.map(entry).join('\n')}`);
  return `# What can go wrong, and what happens then

Each case is proven by the tests that are named with it, or struck with a reason. \`npm run test:faults\` runs exactly these
tests; a test holds this list to them. This page is written by \`npm run docs:faults\` from \`test/faults/cases/\`.

${parts.join('\n\n')}
`;
}

function entry({ id, fault, behaviour, proofs, struck }: FaultCase): string {
  const proof =
    struck === undefined
      ? proofs.map(([file, name]) => `  - \`${file}\`: ${name}`).join('\n')
      : `  - Struck: ${struck}`;
  return `- **${id}** ${fault} *${behaviour}*\n${proof}`;
}
