import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { z } from 'zod';
import type { Chance } from './chance.ts';
import type { Graph } from './graph.ts';

const QUERY = `subscription ($after: String) { smsReceived(after: $after) { cursor revision order { id } } }`;
const eventSchema = z.object({
  data: z.object({
    smsReceived: z.object({ cursor: z.string(), revision: z.int(), order: z.object({ id: z.string() }) }),
  }),
});

/** Somebody who wants every message of a caller's once, and whose connection breaks again and again. */
export interface Follower {
  readonly name: string;
  readonly graph: Graph;
  /** `order/revision`, in the order of arrival. */
  readonly seen: readonly string[];
  readonly connections: () => number;
}

/** Follows until `signal`; each connection is broken after some seconds, and the next resumes behind the last cursor. */
export function follow(
  name: string,
  graph: Graph,
  transport: 'websocket' | 'sse',
  chance: Chance,
  signal: AbortSignal,
): Follower & { readonly ended: Promise<void> } {
  const seen: string[] = [];
  let connections = 0;
  let after: string | null = null;
  const take = (message: unknown): void => {
    const { cursor, revision, order } = eventSchema.parse(message).data.smsReceived;
    seen.push(`${order.id}/${revision}`);
    after = cursor;
  };
  const open = transport === 'websocket' ? overWebSocket : overEvents;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      connections += 1;
      await forAWhile(chance.between(2_000, 20_000), signal, (broken) =>
        open(graph, QUERY, { after }, take, broken),
      );
      // A gateway that refuses is not hammered.
      await sleep(50);
    }
  };
  return { name, graph, seen, connections: () => connections, ended: run() };
}

/** Opens a stream and lets go of it after a while, without a word or with one: what subscribers do all day. */
export async function visit(graph: Graph, query: string, chance: Chance, signal: AbortSignal): Promise<void> {
  const open = chance.happens(0.5) ? overWebSocket : overEvents;
  await forAWhile(chance.between(50, 4_000), signal, (gone) => open(graph, query, {}, () => undefined, gone));
}

/** Not AbortSignal.any of a timeout: Node 20 may collect it while somebody listens, and the stream is never let go of. */
async function forAWhile(
  milliseconds: number,
  signal: AbortSignal,
  work: (end: AbortSignal) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await work(end.signal);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}

const frameSchema = z.object({ type: z.string(), payload: z.unknown().optional() });

/** Resolves when the stream has ended; a broken one ends like any other. By hand, so that it can be cut at any moment. */
function overWebSocket(
  graph: Graph,
  query: string,
  variables: Record<string, unknown>,
  take: (message: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = new WebSocket(`${graph.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const send = (frame: unknown): void => socket.send(JSON.stringify(frame));
  return new Promise((resolve) => {
    socket.on('close', () => resolve());
    // Cut while it is opened, or refused: the close follows.
    socket.on('error', () => undefined);
    socket.on('open', () =>
      send({ type: 'connection_init', payload: { authorization: `Bearer ${graph.key}` } }),
    );
    socket.on('message', (data) => {
      const { type, payload } = frameSchema.parse(JSON.parse(String(data)));
      if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query, variables } });
      if (type === 'ping') send({ type: 'pong' });
      if (type === 'next' && !signal.aborted) take(payload);
      if (type === 'error' || type === 'complete') socket.terminate();
    });
    // Without a closing word, as a train goes into a tunnel.
    const cut = (): void => socket.terminate();
    if (signal.aborted) cut();
    signal.addEventListener('abort', cut, { once: true });
  });
}

async function overEvents(
  graph: Graph,
  query: string,
  variables: Record<string, unknown>,
  take: (message: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await fetch(`${graph.url}/graphql`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${graph.key}`,
      },
      body: JSON.stringify({ query, variables }),
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (event.startsWith('event: next') && data !== undefined) take(JSON.parse(data));
      }
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
    // Refused or reset: once more in a moment, as any client would.
    if (!signal.aborted) await sleep(100);
  }
}
