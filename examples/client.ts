// A client of the gateway in one file. Every operation is typed by the graph itself; copy it, and graph-env.d.ts beside it.
import { readFileSync } from 'node:fs';
import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { introspection } from './graph-env.d.ts';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; Rupiah: number };
}>();

/** What the gateway calls an error: something that could have been known better. See docs/errors.md for the codes. */
export class GatewayError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
  }
}

export interface Gateway {
  /** A query or mutation. Goes once, by POST: whether to ask again is the caller's to say. */
  ask<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: Variables,
  ): Promise<Result>;
  /**
   * A subscription, over lost connections and restarts of the gateway. `variables` is asked at each connect: let it
   * name what was seen last, and nothing is missed or seen twice. Ends when the gateway says that nothing more will come,
   * or at once by return().
   */
  follow<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: () => Variables,
  ): AsyncIterableIterator<Result>;
  close(): Promise<void>;
}

/** Where SWITCHBOARD_URL says, with the key in SWITCHBOARD_KEY; else a sandbox that was started in this directory. */
export function openGateway(
  url = process.env['SWITCHBOARD_URL'] ?? 'http://127.0.0.1:4000/graphql',
  key = process.env['SWITCHBOARD_KEY'] ?? sandboxKey(),
): Gateway {
  const authorization = `Bearer ${key}`;
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (failures) =>
      new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** failures, 10_000))),
    // 4403: the key is not good, or not any more. Everything else may be better in a moment.
    shouldRetry: (problem) => !(problem instanceof Object && 'code' in problem && problem.code === 4403),
  });

  return {
    async ask(document, variables) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query: print(document), variables }),
      });
      return dataOf(await response.json());
    },
    follow(document, variables) {
      // A getter, as graphql-ws writes the request down anew for each connection.
      const answers = socket.iterate({
        query: print(document),
        get variables() {
          return variables();
        },
      });
      // Not an async generator: whoever gives up on one that waits would wait along for its next item.
      return {
        async next() {
          const { done, value } = await answers.next();
          return done ? { done, value: undefined } : { done: false, value: dataOf(value) };
        },
        async return() {
          await answers.return?.();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    async close() {
      await socket.dispose();
    },
  };
}

function sandboxKey(): string {
  try {
    return readFileSync('data/sandbox.key', 'utf8').trim();
  } catch {
    throw new Error(
      'Set SWITCHBOARD_KEY to a key of the gateway, or start this beside the data/ of a sandbox.',
    );
  }
}

/** The one place where JSON becomes typed: the gateway answers what the graph says, or errors. */
function dataOf<Result>(answer: unknown): Result {
  const { data, errors } = answer as {
    data?: Result;
    errors?: readonly { message: string; extensions?: { code?: string } }[];
  };
  const [error] = errors ?? [];
  if (error !== undefined) throw new GatewayError(error.message, error.extensions?.code ?? 'UNKNOWN');
  if (data === undefined) throw new GatewayError('The answer holds nothing.', 'UNKNOWN');
  return data;
}
