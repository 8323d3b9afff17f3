import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { GraphBody } from './gateway.ts';

/** A public client: graphql-ws, with a key in its connection parameters. */
export function connect(
  url: string,
  key: string | null,
  onClose: (code: number, reason: string) => void = () => {},
): Client {
  return createClient({
    url,
    webSocketImpl: WebSocket,
    lazy: true,
    retryAttempts: 0,
    ...(key !== null && { connectionParams: { authorization: `Bearer ${key}` } }),
    on: {
      closed: (event) => {
        const { code, reason } = event as { code: number; reason: string };
        onClose(code, reason);
      },
    },
  });
}

/** Collects what a subscription brings, as it comes. */
export function collect(
  client: Client,
  query: string,
  variables?: Record<string, unknown>,
  onItem: (item: GraphBody) => void = () => {},
): { readonly items: GraphBody[]; readonly ended: Promise<unknown>; stop(): void } {
  const items: GraphBody[] = [];
  let stop = (): void => {};
  const ended = new Promise<unknown>((resolve) => {
    stop = client.subscribe(
      { query, ...(variables !== undefined && { variables }) },
      {
        next(value) {
          items.push(value as GraphBody);
          onItem(value as GraphBody);
        },
        error: (error) => resolve(error),
        complete: () => resolve('complete'),
      },
    );
  });
  return { items, ended, stop: () => stop() };
}

/** A bare socket for what no well-behaved client does. */
export function rawSocket(
  url: string,
  options: { readonly protocol?: string | null; readonly origin?: string } = {},
): {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly messages: string[];
  send(message: unknown): void;
} {
  const protocol = options.protocol === undefined ? 'graphql-transport-ws' : options.protocol;
  const socket = new WebSocket(url, protocol === null ? [] : [protocol], {
    ...(options.origin !== undefined && { origin: options.origin }),
  });
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  opened.catch(() => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  return { socket, opened, closed, messages, send: (message) => socket.send(JSON.stringify(message)) };
}

/** Server-sent events of a subscription, read with fetch as a browser would. */
export async function openEvents(
  url: string,
  key: string,
  query: string,
  variables?: unknown,
): Promise<{
  readonly status: number;
  readonly items: GraphBody[];
  readonly ended: Promise<'complete' | 'cut'>;
  abort(): void;
}> {
  const controller = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const items: GraphBody[] = [];
  const read = async (): Promise<'complete' | 'cut'> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const part of response.body ?? []) {
        text += decoder.decode(part, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          if (event.startsWith('event: complete')) return 'complete';
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (event.startsWith('event: next') && data !== undefined) items.push(JSON.parse(data));
        }
      }
    } catch {
      return 'cut';
    }
    return 'cut';
  };
  return { status: response.status, items, ended: read(), abort: () => controller.abort() };
}
