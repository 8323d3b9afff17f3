import { type GraphQLSchema, parse, validate } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

/** What a request asks for, once its document is known. */
export type Asked =
  | { readonly kind: 'params'; readonly params: GraphQLParams }
  /** Not to be parsed even. `message` is for the caller. */
  | { readonly kind: 'refused'; readonly message: string };

/** Which documents are executed, on every transport. */
export interface TrustedDocuments {
  resolve(params: GraphQLParams): Asked;
}

/**
 * With a manifest, only its documents: named by their hash (`documentId`, or Apollo's `extensions.persistedQuery`), or sent
 * whole, letter for letter. Null: whatever anybody sends, within the limits.
 *
 * @throws Error naming a document of the manifest that does not fit the graph: it would be refused each time.
 */
export function createTrustedDocuments(
  schema: GraphQLSchema,
  manifest: ReadonlyMap<string, string> | null,
): TrustedDocuments {
  if (manifest === null) return { resolve: untrusted };
  for (const [hash, text] of manifest) {
    const fault = faultOf(schema, text);
    if (fault !== null)
      throw new Error(`TRUSTED_DOCUMENTS: the document ${hash} does not fit the graph: ${fault}`);
  }
  const texts = new Set(manifest.values());
  return {
    resolve(params) {
      const hash = hashOf(params);
      const named = hash === null ? undefined : manifest.get(hash);
      if (named !== undefined && (isLeftOut(params.query) || params.query === named))
        return { kind: 'params', params: { ...params, query: named } };
      if (hash === null && typeof params.query === 'string' && texts.has(params.query))
        return { kind: 'params', params };
      return { kind: 'refused', message: 'Only the documents of the operator’s manifest are executed here.' };
    },
  };
}

function untrusted(params: GraphQLParams): Asked {
  return isLeftOut(params.query)
    ? { kind: 'refused', message: 'Documents are not known by their hash here: send the query itself.' }
    : { kind: 'params', params };
}

function isLeftOut(query: GraphQLParams['query']): boolean {
  return query === undefined || query === null || query === '';
}

/** Null where the request names none. */
export function hashOf({ extensions }: Pick<GraphQLParams, 'extensions'>): string | null {
  const { documentId, persistedQuery } = extensions ?? {};
  if (typeof documentId === 'string') return documentId;
  const isNamed = typeof persistedQuery === 'object' && persistedQuery !== null;
  const hash: unknown = isNamed && 'sha256Hash' in persistedQuery ? persistedQuery.sha256Hash : null;
  return typeof hash === 'string' ? hash : null;
}

function faultOf(schema: GraphQLSchema, text: string): string | null {
  try {
    return validate(schema, parse(text))[0]?.message ?? null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read';
  }
}
