import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, print } from 'graphql';
import { type Plugin, runnerImport } from 'vite';

const SOURCES = join(import.meta.dirname, 'src');
const CALLS_GRAPHQL = /\bgraphql\(\s*`/;

/** Writes the manifest of what the console asks: a gateway with TRUSTED_DOCUMENTS trusts it besides the operator's own. */
export function documentsManifest(): Plugin {
  return {
    name: 'documents-manifest',
    apply: 'build',
    async generateBundle() {
      const source = JSON.stringify(await consoleDocuments());
      this.emitFile({ type: 'asset', fileName: 'documents.json', source });
    },
  };
}

/**
 * Every document of the console by its hash, as the page sends it, to the letter. The modules are run, not read: texts
 * are put together from fragments by the same code as in the page.
 *
 * @throws Error where a component holds a document, or a module keeps one to itself: it would be refused.
 */
export async function consoleDocuments(): Promise<Readonly<Record<string, string>>> {
  const manifest: Record<string, string> = {};
  for (const file of documentFiles()) {
    const { module } = await runnerImport<Record<string, unknown>>(file, {
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'silent',
    });
    const operations = Object.values(module).filter(isDocument).filter(isOperation);
    const written = readFileSync(file, 'utf8').match(/^\s*(?:query|mutation|subscription) \w/gm) ?? [];
    if (operations.length !== written.length) throw new Error(`${file} must export each of its operations`);
    for (const operation of operations) {
      const text = print(operation);
      manifest[createHash('sha256').update(text).digest('hex')] = text;
    }
  }
  return manifest;
}

function documentFiles(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(SOURCES, name))
    .filter((file) => CALLS_GRAPHQL.test(readFileSync(file, 'utf8')));
  const component = files.find((file) => file.endsWith('.tsx'));
  if (component !== undefined)
    throw new Error(`${component} must take its documents from a module beside it`);
  return files.sort();
}

function isDocument(value: unknown): value is DocumentNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Document';
}

function isOperation({ definitions }: DocumentNode): boolean {
  return definitions[0]?.kind === 'OperationDefinition';
}
