import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { hashOf } from './trusted-documents.ts';

export type ContentKind = 'json' | 'graphql' | 'unsupported';

/**
 * What a POST may be of. Forms and plain text are what a foreign page can send without asking first (CSRF), and Yoga
 * by itself would execute them.
 */
export function contentKindOf(contentType: string | undefined): ContentKind {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return 'unsupported';
  if (type === 'application/json' || /^application\/graphql(?:-request)?\+json$/.test(type)) return 'json';
  return type === 'application/graphql' ? 'graphql' : 'unsupported';
}

/** @throws GraphQLError BAD_USER_INPUT for what is no GraphQL request; the message quotes nothing of it. */
export function paramsOfBody(kind: 'json' | 'graphql', bytes: Uint8Array): GraphQLParams {
  const text = decodeUtf8(bytes);
  if (kind === 'graphql') return { query: text };
  return checked(parseJson(text, 'The body'));
}

/** @throws GraphQLError BAD_USER_INPUT */
export function paramsOfQuery(query: URLSearchParams): GraphQLParams {
  const given: Record<string, unknown> = {};
  for (const name of ['query', 'operationName', 'documentId'] as const) {
    const text = query.get(name);
    if (text !== null && text !== '') given[name] = text;
  }
  for (const name of ['variables', 'extensions'] as const) {
    const text = query.get(name);
    if (text !== null && text !== '') given[name] = parseJson(text, `The parameter ${name}`);
  }
  return checked(given);
}

function checked(value: unknown): GraphQLParams {
  if (Array.isArray(value)) throw badRequest('Several operations in one request are not supported.');
  if (!isRecord(value)) throw badRequest('The body must be a JSON object.');
  const { query, operationName, variables, documentId } = value;
  const extensions = typeof documentId === 'string' ? { documentId } : value['extensions'];
  if (!isNullish(operationName) && typeof operationName !== 'string') {
    throw badRequest('The operationName must be a text.');
  }
  if (!isNullish(variables) && !isRecord(variables)) throw badRequest('The variables must be a JSON object.');
  if (!isNullish(extensions) && !isRecord(extensions))
    throw badRequest('The extensions must be a JSON object.');
  const isNamed = isRecord(extensions) && hashOf({ extensions }) !== null;
  if (!(isNamed && isNullish(query)) && (typeof query !== 'string' || query === ''))
    throw badRequest('The query must be a text.');
  return {
    ...(typeof query === 'string' && { query }),
    ...(typeof operationName === 'string' && { operationName }),
    ...(isRecord(variables) && { variables }),
    ...(isRecord(extensions) && { extensions }),
  };
}

/** Keeps nothing between two texts; to make one for each costs more than to parse a small request. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8.');
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${what} is not JSON.`);
  }
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
