import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeneratedText } from './generated-texts.ts';

const PATH = 'examples/graph-env.d.ts';
const HEAD = '// biome-ignore-all format: made by gql.tada, a type a line\n';

/** The types that the examples are checked with, as gql.tada makes them from schema.graphql. */
export function graphTypes(project: string): GeneratedText {
  const directory = mkdtempSync(join(tmpdir(), 'graph-types-'));
  try {
    const output = join(directory, 'graph-env.d.ts');
    const tada = join(project, 'node_modules/.bin/gql.tada');
    execFileSync(
      tada,
      ['generate', 'output', '--tsconfig', join(project, 'examples/tsconfig.json'), '--output', output],
      {
        cwd: project,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    // Its last part would set the types up for every import of gql.tada: the examples name theirs, as others have their own.
    const [types = ''] = readFileSync(output, 'utf8').split('\nimport * as gqlTada');
    return {
      path: PATH,
      text: `${HEAD}${types.trimEnd()}\n`,
      now: readFileSync(join(project, PATH), 'utf8'),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
