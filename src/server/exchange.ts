import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../ports/log.ts';
import { writeWithOthers } from './gathered-writes.ts';

/** One request on its way through the edge. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestId: string;
  /** Writes the request id into every line. */
  readonly log: Log;
}

export interface Route {
  /** Names the route in metrics. */
  readonly name: string;
  readonly methods: readonly string[];
  /** Answers the exchange. What it throws is a bug: logged, and answered with a masked 500. */
  handle(exchange: Exchange): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/**
 * On every answer. Nothing of ours is to be framed, sniffed, cached by a proxy or loaded by another site's page; a page
 * of our own overrides the policy with one that fits it.
 */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const satisfies Headers;

/** Sends a whole answer. What is unread of the request's body is thrown away by the edge. */
export function answer(
  exchange: Exchange,
  status: number,
  body: string | Uint8Array,
  headers: Headers = {},
): void {
  const { response, requestId } = exchange;
  if (response.headersSent || response.destroyed) return;
  const length = Buffer.byteLength(body);
  response.writeHead(status, headerList(requestId, length, headers));
  // A text as long as its bytes is ASCII alone, and latin1 is written without a look at each character.
  if (exchange.method === 'HEAD') response.end();
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
}

/**
 * The same, with what else this turn of the event loop answers. Not for webhooks: commits answer many at once anyway, and in
 * the turn between the inbox would be worked off, which is to let those go first that come in a flood.
 */
export function answerWithOthers(...answered: Parameters<typeof answer>): void {
  writeWithOthers(() => answer(...answered));
}

const SECURITY_LIST: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** Names and values in turn: from a list Node writes a head in half the time that it takes from an object. */
function headerList(requestId: string, length: number, headers: Headers): string[] {
  const list = [...SECURITY_LIST, 'x-request-id', requestId, 'content-length', String(length)];
  for (const [name, value] of Object.entries(headers)) {
    const at = placeOf(list, name);
    list[at] = name;
    list[at + 1] = value;
  }
  return list;
}

/** Where the name stands, or else the end. */
function placeOf(list: readonly string[], name: string): number {
  for (let at = 0; at < list.length; at += 2) if (list[at] === name) return at;
  return list.length;
}

export function answerJson(exchange: Exchange, status: number, value: unknown, headers: Headers = {}): void {
  answer(exchange, status, JSON.stringify(value), {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
}

/** Begins an answer whose body follows in parts. */
export function beginAnswer(exchange: Exchange, status: number, headers: Headers): void {
  exchange.response.writeHead(status, {
    ...SECURITY_HEADERS,
    'x-request-id': exchange.requestId,
    ...headers,
  });
}

/** An error in the shape that GraphQL clients read, for whatever is refused before GraphQL comes in. */
export function refuse(
  exchange: Exchange,
  status: number,
  error: { readonly code: string; readonly message: string; readonly [extension: string]: unknown },
  headers: Headers = {},
): void {
  const { message, ...extensions } = error;
  // A client that asked for the newer type alone cannot read the older one.
  const type = /application\/graphql-response\+json/i.test(exchange.request.headers.accept ?? '')
    ? 'application/graphql-response+json; charset=utf-8'
    : 'application/json; charset=utf-8';
  answerJson(exchange, status, { errors: [{ message, extensions }] }, { 'content-type': type, ...headers });
}
