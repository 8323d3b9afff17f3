import { readFileSync } from 'node:fs';

const LONGEST_HASH = 128;

/**
 * The manifest of TRUSTED_DOCUMENTS: a JSON object of documents by their hash, as GraphQL code generators write it. Null
 * where there is none.
 *
 * @throws Error naming what is wrong with the file; nothing is served then, as anything might be asked.
 */
export function readTrustedDocuments(file: string | undefined): ReadonlyMap<string, string> | null {
  if (file === undefined) return null;
  const manifest = parsed(file);
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new Error(`TRUSTED_DOCUMENTS: ${file} must hold a JSON object of documents by their hash.`);
  const documents = new Map<string, string>();
  for (const [hash, text] of Object.entries(manifest)) {
    if (typeof text !== 'string' || text === '' || hash === '' || hash.length > LONGEST_HASH)
      throw new Error(`TRUSTED_DOCUMENTS: ${file} has an entry that is no document under its hash.`);
    documents.set(hash, text);
  }
  return documents;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`TRUSTED_DOCUMENTS: ${file} ${why}.`, { cause: error });
  }
}
