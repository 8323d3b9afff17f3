import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { GraphBody } from '../api/support/gateway.ts';
import { collect } from '../api/support/sockets.ts';

export interface Follower<Item> {
  readonly items: readonly Item[];
  /** Stays where it is from now on, as long as it can. */
  settle(): void;
  /** Resolves once its present connection is closed; it does not connect again. */
  stop(): Promise<void>;
}

export interface FollowerParts<Item> {
  readonly key: string;
  readonly query: string;
  /** The instance to turn to next. */
  readonly pick: () => string;
  /** How long to stay with it, if it lasts so long. */
  readonly stayMs: () => number;
  readonly read: (body: GraphBody) => Item;
  /** With which to ask for what comes behind the last item; null: nothing has come yet. */
  readonly resume: (last: GraphBody | null) => Record<string, unknown>;
}

/** Closed before it is open, which happens with an instance that stands still, a socket throws at whoever does not listen. */
class PatientSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    this.on('error', () => undefined);
  }
}

/** A client that is never at home: it goes on at another instance every few seconds, from the last item that it has had. */
export function follow<Item>(parts: FollowerParts<Item>): Follower<Item> {
  const items: Item[] = [];
  let last: GraphBody | null = null;
  let isStopped = false;
  let isSettled = false;
  let leave = (): void => undefined;

  async function visit(): Promise<'complete' | 'left'> {
    const client = createClient({
      url: `${parts.pick().replace('http', 'ws')}/graphql`,
      webSocketImpl: PatientSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${parts.key}` },
    });
    let isHere = true;
    let isWhole = true;
    const stream = collect(client, parts.query, parts.resume(last), (body) => {
      if (body.errors !== undefined) isWhole = false;
      if (!isHere || !isWhole) return;
      items.push(parts.read(body));
      last = body;
    });
    const left = new Promise<'left'>((resolve) => {
      leave = () => resolve('left');
      setTimeout(() => {
        if (!isSettled) resolve('left');
      }, parts.stayMs());
    });
    const end = await Promise.race([stream.ended, left]);
    isHere = false;
    // Of an instance that stands still no farewell comes back.
    client.terminate();
    // Where an instance has lost its database, a stream ends too, behind an error that says so.
    return end === 'complete' && isWhole ? 'complete' : 'left';
  }

  const following = (async () => {
    while (!isStopped) {
      if ((await visit()) === 'complete') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    items,
    settle() {
      isSettled = true;
    },
    async stop() {
      isStopped = true;
      leave();
      await following;
    },
  };
}
