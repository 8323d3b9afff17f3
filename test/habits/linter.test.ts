import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/** One line for each thing that has a room of its own or no room at all, and the rule that knows it. */
const lines = {
  ambientNow: ['export const ambientNow = () => new Date();', 'plugin'],
  dateNow: ['export const dateNow = Date.now;', 'lint/nursery/noJsRestrictedProperties'],
  chance: ['export const chance = Math.random;', 'lint/nursery/noJsRestrictedProperties'],
  timer: ['export const timer = setTimeout;', 'lint/style/noRestrictedGlobals'],
  interval: ['export const interval = setInterval;', 'lint/style/noRestrictedGlobals'],
  call: ["export const call = () => fetch('x');", 'lint/style/noRestrictedGlobals'],
  hiddenCall: [
    "export const hiddenCall = () => globalThis.fetch('x');",
    'lint/nursery/noJsRestrictedProperties',
  ],
  environment: ["export const environment = process.env['X'];", 'lint/style/noProcessEnv'],
  cast: ['export const cast = (value: unknown) => value as string;', 'lint/nursery/noUnsafeTypeAssertion'],
  any: ['export const any = (value: any) => value;', 'lint/suspicious/noExplicitAny'],
  bang: ['export const bang = (value: string | null) => value!;', 'lint/style/noNonNullAssertion'],
  forgotten: ['export function forgotten(): void { Promise.reject(); }', 'lint/nursery/noFloatingPromises'],
  defaultExport: ['export default 1;', 'lint/style/noDefaultExport'],
  barrel: ["export * from './other.ts';", 'lint/performance/noReExportAll'],
  print: ["console.log('x');", 'lint/suspicious/noConsole'],
} as const;
type Line = keyof typeof lines;

const nowhere: readonly Line[] = ['any', 'bang', 'forgotten', 'defaultExport', 'barrel', 'print'];
const all: readonly Line[] = [
  'ambientNow',
  'dateNow',
  'chance',
  'timer',
  'interval',
  'call',
  'hiddenCall',
  'environment',
  'cast',
  ...nowhere,
];

const rooms: readonly [path: string, refused: readonly Line[]][] = [
  ['src/domain/orders/probe.ts', all],
  ['src/flows/probe.ts', all],
  ['src/workers/probe.ts', all],
  ['src/schema/probe.ts', all],
  ['src/resolvers/probe.ts', all],
  ['src/server/probe.ts', all],
  ['src/store/sqlite/probe.ts', all],
  ['src/app.ts', all],
  ['src/cli.ts', all],
  ['src/config.ts', all.filter((line) => line !== 'environment')],
  ['src/system-clock.ts', ['environment', 'cast', ...nowhere]],
  ['src/upstream/http.ts', ['ambientNow', 'environment', 'cast', ...nowhere]],
  ['src/sandbox/probe.ts', ['environment', 'cast', ...nowhere]],
  ['test/probe.test.ts', nowhere],
];

let directory: string;
/** By file and line: the rules that spoke. */
let found: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'linter-'));
  cpSync(join(project, 'biome.json'), join(directory, 'biome.json'));
  cpSync(join(project, 'tools'), join(directory, 'tools'), { recursive: true });
  for (const [path] of rooms) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    const texts = Object.values(lines).map(([text]) => text);
    writeFileSync(join(directory, path), texts.join('\n'));
  }
  found = lint();
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe.each(rooms)('in %s', (path, refused) => {
  it.each(Object.keys(lines).filter(isLine))('%s stands or falls by its room', (line) => {
    const [, rule] = lines[line];
    const spoke = found.get(`${path}:${Object.keys(lines).indexOf(line) + 1}`) ?? [];
    expect(spoke.includes(rule)).toBe(refused.includes(line));
  });
});

function isLine(name: string): name is Line {
  return name in lines;
}

function lint(): Map<string, string[]> {
  const biome = join(project, 'node_modules/@biomejs/biome/bin/biome');
  const run = spawnSync(
    process.execPath,
    [biome, 'lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', '.'],
    {
      cwd: directory,
      encoding: 'utf8',
    },
  );
  const spoken = new Map<string, string[]>();
  for (const [, rule = '', file = '', line = ''] of run.stdout.matchAll(
    /title=([^,]*),file=([^,]*),line=(\d+)/g,
  )) {
    const place = `${relative(directory, file)}:${line}`;
    spoken.set(place, [...(spoken.get(place) ?? []), rule]);
  }
  return spoken;
}
