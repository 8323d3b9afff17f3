import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ErrorCode {
  /** Over HTTP, where the whole request fails with it. */
  readonly httpStatus: string;
  readonly meaning: string;
  readonly whatToDo: string;
  /** Further keys of `extensions`. */
  readonly extensions: string;
}

/** Every code that `errors[].extensions.code` may hold. A test holds it to what the sources throw. */
export const errorCodes: Readonly<Record<string, ErrorCode>> = {
  UNAUTHENTICATED: {
    httpStatus: '401',
    meaning:
      'There is no key, or none that is good: unknown, revoked or expired. A stream whose key ends gets it, too.',
    whatToDo: 'Send `Authorization: Bearer <key>` with a key from `keys create`. Asking again does not help.',
    extensions: '',
  },
  FORBIDDEN: {
    httpStatus: '200',
    meaning: 'The key lacks the scope that the message names. Said before anything is looked up.',
    whatToDo: 'Use a key with that scope.',
    extensions: '',
  },
  NOT_FOUND: {
    httpStatus: '200',
    meaning:
      'There is no such order, attempt or supplier order, or it is another caller’s: no difference is shown.',
    whatToDo:
      'Look at the id, and at whose key it is. A supplier order is known here once it was claimed or listed.',
    extensions: '',
  },
  BAD_USER_INPUT: {
    httpStatus:
      '200; 400 where the request as a whole is at fault and `application/graphql-response+json` is accepted; 400, 405, 408 or 415 where it is no GraphQL request, or not clear which operation is meant',
    meaning:
      'An argument, input field or variable holds what it may not; or the document is no GraphQL, does not fit the graph, or has several operations and none was named; or what came is no GraphQL request: not JSON, a list of several, a form, a mutation by GET, or too slow to arrive. Nothing was stored or sent.',
    whatToDo:
      'Mend the input that `field` names, and the document where `locations` points. POST one JSON object with `query` and `variables`, as `application/json`. The message says what is expected.',
    extensions: '`field`, where an input is at fault',
  },
  RATE_LIMITED: {
    httpStatus: '429',
    meaning: 'The key asks more often than RATE_LIMIT_PER_SECOND allows, or too many subscriptions are open.',
    whatToDo: 'Wait `retryAfterMs`, then ask again. Of subscriptions: end some first.',
    extensions: '`retryAfterMs`',
  },
  UPSTREAM_NOT_CONFIGURED: {
    httpStatus: '200',
    meaning: 'This gateway has no secret for the side that the field belongs to.',
    whatToDo: 'Set SMSCODE_API_TOKEN or SUPPLIER_API_KEY, or ask another gateway.',
    extensions: '`side`',
  },
  UPSTREAM_UNAUTHORIZED: {
    httpStatus: '200',
    meaning: 'The provider refused the gateway’s own secret.',
    whatToDo: 'A matter for the operator: see `doctor`. Asking again does not help.',
    extensions: '',
  },
  UPSTREAM_UNAVAILABLE: {
    httpStatus: '200',
    meaning: 'The provider gave no answer, refused to, or wants to be left alone for a while.',
    whatToDo:
      'Ask again, after `retryAfterMs` where it is told. Of a mutation on a job or an order that is safe.',
    extensions: '`retryAfterMs`, where the provider told it',
  },
  UPSTREAM_MALFORMED: {
    httpStatus: '200',
    meaning: 'The provider gave an answer that its contract does not know.',
    whatToDo: 'Ask again later; the operator finds the answer’s shape in the log.',
    extensions: '',
  },
  QUERY_TOO_COMPLEX: {
    httpStatus: '400, or 413 where the request is too large',
    meaning:
      'The document is too deep, too wide, too long, has too many aliases, may return too much, or holds two mutations that charge.',
    whatToDo:
      'Ask for less at once, with a smaller `first`. Put long lists into variables, and each paid mutation into a request of its own.',
    extensions: '',
  },
  INTERNAL_SERVER_ERROR: {
    httpStatus: '200 beside other data, else 500',
    meaning: 'A fault of the gateway. What it was stands in its log alone.',
    whatToDo: 'Ask again: of a job or an order that is safe. Give the operator the `requestId`.',
    extensions: '`requestId`',
  },
};

/** Every code that the sources name: the type of resolvers, and what the server puts into extensions. */
export function codesInSources(project: string): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const room of ['src/server', 'src/resolvers']) {
    for (const file of readdirSync(join(project, room)).filter((name) => name.endsWith('.ts'))) {
      const text = readFileSync(join(project, room, file), 'utf8');
      for (const [, code] of text.matchAll(/\bcode: '([A-Z_]+)'/g)) codes.add(code ?? '');
      for (const [, code] of text.matchAll(/\bcoded\(\s*'([A-Z_]+)'/g)) codes.add(code ?? '');
      const union = /export type ErrorCode =([^;]+);/.exec(text)?.[1] ?? '';
      for (const [, code] of union.matchAll(/'([A-Z_]+)'/g)) codes.add(code ?? '');
    }
  }
  return codes;
}
