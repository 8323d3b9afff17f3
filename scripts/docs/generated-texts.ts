import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { withFiles } from './embedded.ts';
import { errorsPage } from './errors-page.ts';
import { graphPage } from './graph-page.ts';

export interface GeneratedText {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
  /** What the file holds now; empty where there is none. */
  readonly now: string;
}

/** What the documents should hold. Written by scripts/generate-docs.ts. */
export function generatedTexts(project: string): readonly GeneratedText[] {
  const schema = buildSchema(readFileSync(join(project, 'schema.graphql'), 'utf8'));
  const made: readonly (readonly [path: string, text: string])[] = [
    ['docs/errors.md', errorsPage(schema)],
    ['docs/reference/graph.md', graphPage(schema)],
    ...pages(project).map((path) => [path, withFiles(readOr(project, path), project)] as const),
  ];
  return made.map(([path, text]) => ({ path, text, now: readOr(project, path) }));
}

/** The pages that people write, for reading. docs/performance.md is a report: its commands take minutes, and a quiet machine. */
export function pages(project: string): readonly string[] {
  const others = ['docs/errors.md', 'docs/configuration.md', 'docs/performance.md'];
  const inDocs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter(
      (path) => path.endsWith('.md') && !others.includes(path) && !/^docs\/(adr|reference)\//.test(path),
    );
  return ['README.md', 'README.hi.md', 'README.bn.md', ...inDocs.sort()];
}

function readOr(project: string, path: string): string {
  try {
    return readFileSync(join(project, path), 'utf8');
  } catch {
    return '';
  }
}
