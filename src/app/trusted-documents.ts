import { existsSync, readFileSync } from 'node:fs';

const LONGEST_HASH = 128;

/**
 * The manifest of TRUSTED_DOCUMENTS: a JSON object of documents by their hash, as GraphQL code generators write it; and
 * with it what the console asks, from the manifest that was built with it. Null where there is none.
 *
 * @throws Error naming what is wrong with the file; nothing is served then, as anything might be asked.
 */
export function readTrustedDocuments(
  file: string | undefined,
  ofConsole: string,
): ReadonlyMap<string, string> | null {
  if (file === undefined) return null;
  const built = existsSync(ofConsole) ? documentsIn(ofConsole) : [];
  return new Map([...built, ...documentsIn(file)]);
}

function documentsIn(file: string): readonly (readonly [hash: string, text: string])[] {
  const manifest = parsed(file);
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new Error(`TRUSTED_DOCUMENTS: ${file} must hold a JSON object of documents by their hash.`);
  return Object.entries(manifest).map(([hash, text]) => {
    if (typeof text !== 'string' || text === '' || hash === '' || hash.length > LONGEST_HASH)
      throw new Error(`TRUSTED_DOCUMENTS: ${file} has an entry that is no document under its hash.`);
    return [hash, text];
  });
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`TRUSTED_DOCUMENTS: ${file} ${why}.`, { cause: error });
  }
}
