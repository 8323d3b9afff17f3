import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/** Files of a house in which every rule is broken once: what each imports, and the rule that says no. */
const broken: readonly [path: string, imports: string, rule: string | null][] = [
  ['src/domain/a.ts', 'src/ports/target.ts', 'domain-imports'],
  ['src/domain/b.ts', 'node:crypto', 'domain-is-pure'],
  ['src/domain/c.ts', 'zod', 'no-packages-inside'],
  ['src/ports/a.ts', 'src/flows/target.ts', 'ports-imports'],
  ['src/flows/a.ts', 'src/store/sqlite/target.ts', 'flows-imports'],
  ['src/flows/b.ts', 'src/config.ts', 'flows-imports'],
  ['src/workers/a.ts', 'src/server/target.ts', 'workers-imports'],
  ['src/schema/a.ts', 'src/flows/target.ts', 'schema-imports'],
  ['src/resolvers/a.ts', 'src/store/sqlite/target.ts', 'resolvers-imports'],
  ['src/server/a.ts', 'src/upstream/target.ts', 'server-imports'],
  ['src/store/a.ts', 'src/flows/target.ts', 'store-imports'],
  ['src/upstream/a.ts', 'src/store/sqlite/target.ts', 'upstream-imports'],
  ['src/sandbox/a.ts', 'src/domain/target.ts', 'sandbox-imports'],
  ['src/config/a.ts', 'src/ports/target.ts', 'config-imports'],
  ['src/system-clock.ts', 'src/flows/target.ts', 'system-clock-imports'],
  ['src/app.ts', 'src/cli.ts', 'app-imports'],
  ['src/domain/d.ts', 'src/helpers/target.ts', 'no-other-room'],
  ['src/helpers/a.ts', 'src/domain/target.ts', 'from-no-other-room'],
  ['src/wake/a.ts', 'src/server/target.ts', 'wake-imports'],
  ['src/server/b.ts', 'drizzle-orm', 'drizzle-orm-rooms'],
  ['src/flows/c.ts', 'graphql-yoga', 'graphql-rooms'],
  ['src/store/b.ts', '@pothos/core', 'graphql-rooms'],
  ['src/store/c.ts', 'zod', 'zod-rooms'],
  ['src/server/c.ts', 'undici', 'undici-rooms'],
  ['src/store/sqlite/a.ts', 'src/store/postgres/target.ts', 'sqlite-knows-no-postgres'],
  ['src/store/postgres/a.ts', 'src/store/sqlite/target.ts', 'postgres-knows-no-sqlite'],
  ['src/flows/loop-a.ts', 'src/flows/loop-b.ts', 'no-cycles'],
  // A cycle is named once, at the file that comes first.
  ['src/flows/loop-b.ts', 'src/flows/loop-a.ts', null],
  ['src/server/d.ts', 'test/target.ts', 'nothing-outside'],
  ['src/server/e.ts', 'vitest', 'no-dev-dependencies'],
  ['src/server/f.ts', 'no-such-package', 'resolvable'],
];

/** And one of which every import is allowed. */
const sound: readonly [path: string, imports: string][] = [
  ['src/ports/ok.ts', 'src/domain/target.ts'],
  ['src/flows/ok.ts', 'src/ports/target.ts'],
  ['src/workers/ok.ts', 'src/flows/target.ts'],
  ['src/resolvers/ok.ts', 'src/schema/target.ts'],
  ['src/server/ok.ts', 'src/resolvers/target.ts'],
  ['src/schema/ok.ts', 'graphql'],
  ['src/schema/context.ts', 'src/flows/target.ts'],
  ['src/store/sqlite/ok.ts', 'better-sqlite3'],
  ['src/upstream/ok.ts', 'undici'],
  ['src/sandbox/ok.ts', 'zod'],
  ['src/app.ts', 'src/store/sqlite/target.ts'],
  ['src/cli.ts', 'src/app.ts'],
];

const rooms = ['domain', 'ports', 'flows', 'workers', 'schema', 'resolvers', 'server', 'upstream', 'sandbox'];
const targets = [...rooms, 'helpers', 'store/sqlite', 'store/postgres'].map(
  (room) => `src/${room}/target.ts`,
);

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'layers-'));
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

// Each starts dependency-cruiser in a process of its own, which takes longer the busier the machine.
describe('the layers', { timeout: 60_000 }, () => {
  it('say no to every import that breaks them, type-only ones too', () => {
    const house = build('broken', broken);
    write(
      house,
      'src/schema/context.ts',
      "import type { Target } from '../store/sqlite/target.ts';\nimport { run } from '../flows/target.ts';\nexport type Seen = Target;\nrun();\n",
    );
    const { status, stderr } = check(house);
    expect(status).toBe(1);
    for (const [path, , rule] of broken) {
      if (rule !== null) expect(stderr).toContain(`${rule}: ${path} -> `);
    }
    expect(stderr).toContain('graph-context-imports: src/schema/context.ts -> ');
    expect(stderr).toContain('graph-context-types: src/schema/context.ts -> ');
  });

  it('let every import of the picture pass', () => {
    const house = build(
      'sound',
      sound,
      targets.filter((path) => !path.includes('helpers')),
    );
    expect(check(house)).toMatchObject({ status: 0, stderr: '' });
  });

  it('are not held by a house in which nothing was seen', () => {
    const house = join(directory, 'empty');
    mkdirSync(join(house, 'src'), { recursive: true });
    expect(check(house).status).toBe(1);
  });
});

function build(
  name: string,
  files: readonly (readonly [path: string, imports: string, ...rest: unknown[]])[],
  also: readonly string[] = targets,
): string {
  const house = join(directory, name);
  for (const path of [...also, 'test/target.ts', 'src/config.ts', 'src/cli.ts'])
    write(house, path, 'export type Target = 1;');
  for (const [path, imports] of files) {
    const from = /^(src|test)\//.test(imports) ? relativeImport(path, imports) : imports;
    write(house, path, `import type { Target } from '${from}';\nexport type Seen = Target;`);
  }
  symlinkSync(join(project, 'node_modules'), join(house, 'node_modules'));
  copyFileSync(join(project, 'package.json'), join(house, 'package.json'));
  return house;
}

function relativeImport(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function write(house: string, path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

function check(house: string) {
  const script = join(project, 'scripts/check-layers.ts');
  return spawnSync(process.execPath, ['--import', 'tsx', script, house], { cwd: project, encoding: 'utf8' });
}
