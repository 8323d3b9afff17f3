import type { TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql/language/printer';
import { calibrate } from '../now.ts';
import type { Watched } from '../watched.ts';
import { type Fault, faultIn, isRecord, unreachable } from './fault.ts';
import { openLine } from './line.ts';
import type { LineStatus } from './line-status.ts';

export type Answer<Result> =
  | { readonly kind: 'data'; readonly data: Result }
  | { readonly kind: 'fault'; readonly fault: Fault };

export interface Sink<Result> {
  next(data: Result): void;
  /** The stream has ended, and will not begin again by itself. */
  failed(fault: Fault): void;
  /** There is nothing more to come. */
  ended(): void;
}

/**
 * The public graph. Queries and mutations go by POST and never go twice by themselves: graphql-ws would send a mutation
 * again after a broken connection. Streams share one WebSocket and go on over reconnects.
 */
export interface GraphClient {
  /** Never rejects. */
  ask<Result, Variables>(
    document: TadaDocumentNode<Result, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Answer<Result>>;
  /** `variables` is asked at each connect: say there what to resume behind. Returns what ends the stream. */
  follow<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: () => Variables,
    sink: Sink<Result>,
  ): () => void;
  readonly status: Watched<LineStatus>;
  close(): void;
}

const PATH = '/graphql';

/** `onUnauthenticated` is called when the gateway does not take the key, at first or later. */
export function createGraphClient(key: string, onUnauthenticated: () => void): GraphClient {
  const line = openLine(`${location.origin.replace(/^http/, 'ws')}${PATH}`, key, onUnauthenticated);

  return {
    status: line.status,
    close: () => line.close(),
    async ask<Result, Variables>(
      document: TadaDocumentNode<Result, Variables>,
      variables: Variables,
      signal?: AbortSignal,
    ) {
      const answer = await post<Result>(key, { query: print(document), variables }, signal ?? null);
      if (answer.kind === 'fault' && answer.fault.kind === 'refused') {
        if (answer.fault.code === 'UNAUTHENTICATED') onUnauthenticated();
      }
      return answer;
    },
    follow(document, variables, sink) {
      let isOver = false;
      const finish = (tell: () => void): void => {
        if (isOver) return;
        isOver = true;
        tell();
      };
      const payload = {
        query: print(document),
        // Read each time the stream is opened, so that it resumes behind what came before the connection broke.
        get variables() {
          return variables();
        },
      };
      const stop = line.client.subscribe<Data<typeof document>>(payload, {
        next(result) {
          const fault = faultIn(result);
          if (fault !== null) finish(() => sink.failed(fault));
          else if (!isOver && result.data != null) sink.next(result.data);
        },
        error: (error) => finish(() => sink.failed(faultIn(error) ?? unreachable)),
        complete: () => finish(() => sink.ended()),
      });
      return () => {
        isOver = true;
        stop();
      };
    },
  };
}

type Data<Document> = Document extends TadaDocumentNode<infer Result, infer _Variables> ? Result : never;

/** Asks who a key belongs to before anything is built on it. */
export function askOnce<Result, Variables>(
  key: string,
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Answer<Result>> {
  return post(key, { query: print(document), variables }, null);
}

async function post<Result>(
  key: string,
  operation: { readonly query: string; readonly variables: unknown },
  signal: AbortSignal | null,
): Promise<Answer<Result>> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      },
      body: JSON.stringify(operation),
    });
    calibrate(response.headers.get('date'));
    const body: unknown = await response.json();
    const fault = faultIn(body);
    if (fault !== null) return { kind: 'fault', fault };
    if (!isRecord(body) || !isRecord(body['data'])) return { kind: 'fault', fault: unreachable };
    // The gateway answers by its schema, and documents are typed by it.
    return { kind: 'data', data: body['data'] as Result };
  } catch {
    return { kind: 'fault', fault: unreachable };
  }
}
