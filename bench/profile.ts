import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areaOf } from './harness/areas.ts';

/**
 * Where Switchboard's time goes on a path: `npm run --prefix bench profile -- create webhook`. The program is built once
 * more, with source maps, and raced shortly; the samples of its process are summed up by what they were taken in. A native
 * call counts for the function that makes it: what SQLite does for the store.
 */

/** Loading and compiling are not what is asked about. */
const SKIPPED_MICROSECONDS = 6_000_000;
const SMALLEST_SHOWN = 0.01;
const FUNCTIONS_SHOWN = 25;

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const bench = fileURLToPath(new URL('.', import.meta.url));
const product = join(bench, '..');
const scratch = mkdtempSync(join(tmpdir(), 'switchboard-profile-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const dist = join(product, 'dist-profile');
process.once('exit', () => rmSync(dist, { recursive: true, force: true }));

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error('name a path, or several: see main.ts');
execFileSync('npx', ['vite', 'build', '--logLevel', 'warn', '--sourcemap', 'hidden', '--outDir', dist], {
  cwd: product,
  stdio: 'inherit',
});
const maps = new Map<string, SourceMap>();
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.js.map'))
    maps.set(basename(file, '.map'), new SourceMap(JSON.parse(readFileSync(join(dist, file), 'utf8'))));
}
for (const path of paths) {
  const directory = join(scratch, path);
  mkdirSync(directory);
  execFileSync('npx', ['tsx', 'main.ts', path, '--quick'], {
    cwd: bench,
    stdio: 'inherit',
    env: { ...process.env, BENCH_PROFILE: directory, PRODUCT_DIST: dist },
  });
  print(path, ours(directory));
}

/** The last one that was started of the program: one before it may have filled the database. */
function ours(directory: string): Profile {
  const all = readdirSync(directory)
    .toSorted()
    .map((file): Profile => JSON.parse(readFileSync(join(directory, file), 'utf8')));
  const last = all.findLast(({ nodes }) => nodes.some(({ callFrame }) => callFrame.url.includes(dist)));
  if (last === undefined) throw new Error('no profile of the program was written');
  return last;
}

function print(path: string, { nodes, samples, timeDeltas }: Profile): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const areas = new Map<string, number>();
  const functions = new Map<string, number>();
  let elapsed = 0;
  let busy = 0;
  for (const [at, id] of samples.entries()) {
    const took = timeDeltas[at] ?? 0;
    elapsed += took;
    const frame = frames.get(id);
    if (frame === undefined || elapsed < SKIPPED_MICROSECONDS || frame.functionName === '(idle)') continue;
    busy += took;
    const source = sourceOf(frame);
    add(areas, areaOf(source, frame.functionName), took);
    add(functions, `${frame.functionName || '(anonymous)'} ${source}`, took);
  }
  const rows = (of: ReadonlyMap<string, number>, most: number): string =>
    [...of]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, most)
      .filter(([, took]) => took / busy >= SMALLEST_SHOWN)
      .map(([name, took]) => `| ${((took / busy) * 100).toFixed(0)} % | ${name} |`)
      .join('\n');
  writeFileSync(1, `\n### ${path}\n\n| of the time | in |\n| ---: | --- |\n${rows(areas, areas.size)}\n`);
  writeFileSync(
    1,
    `\n| of the time | in the function itself |\n| ---: | --- |\n${rows(functions, FUNCTIONS_SHOWN)}\n`,
  );
}

function add(sums: Map<string, number>, name: string, took: number): void {
  sums.set(name, (sums.get(name) ?? 0) + took);
}

/** The file of ours or of a package that a function was written in; of Node's own, or of what was compiled at run time, what V8 says. */
function sourceOf({ url, lineNumber, columnNumber }: Frame): string {
  const entry = maps.get(basename(url))?.findEntry(lineNumber, columnNumber);
  if (entry === undefined || !('originalSource' in entry)) return url;
  const { originalSource } = entry;
  const inside = /(?:node_modules|src|console)\/.*$/.exec(originalSource);
  return inside?.[0] ?? originalSource;
}
