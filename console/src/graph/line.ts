import { type Client, createClient } from 'graphql-ws';
import { createWatched, type Watched } from '../watched.ts';
import type { LineStatus } from './line-status.ts';

const LONGEST_WAIT = 8_000;
const FIRST_WAIT = 250;
const PING_EVERY = 10_000;
/** A line that does not answer a ping within this is dead, though the browser may not know it for minutes. */
const PONG_WITHIN = 5_000;
const FORBIDDEN = 4403;
/** For how long the status line says that everything goes on where it broke off. */
const RESUMED_SHOWN = 6_000;

/** The one WebSocket that all streams share. It is kept open, and opened again for as long as the page is. */
export interface Line {
  readonly client: Client;
  readonly status: Watched<LineStatus>;
  close(): void;
}

/** `onForbidden`: the gateway does not know the key, or knows it no more. */
export function openLine(url: string, key: string, onForbidden: () => void): Line {
  const status = createWatched<LineStatus>({ kind: 'connecting' });
  let pongTimer: number | undefined;
  let resumedTimer: number | undefined;
  let isClosed = false;

  const client = createClient({
    url,
    lazy: false,
    connectionParams: { authorization: `Bearer ${key}` },
    keepAlive: PING_EVERY,
    retryAttempts: Number.POSITIVE_INFINITY,
    // A failed attempt comes as a bare event without a code: the default would give up then.
    shouldRetry: () => !isClosed,
    retryWait: (retries) => untilNextTry(Math.min(FIRST_WAIT * 2 ** retries, LONGEST_WAIT)),
    on: {
      connected(_socket, _payload, wasRetry) {
        clearTimeout(resumedTimer);
        if (!wasRetry) return status.set({ kind: 'connected' });
        status.set({ kind: 'resumed' });
        resumedTimer = window.setTimeout(() => status.set({ kind: 'connected' }), RESUMED_SHOWN);
      },
      ping(isReceived) {
        if (!isReceived) pongTimer = window.setTimeout(() => client.terminate(), PONG_WITHIN);
      },
      pong(isReceived) {
        if (isReceived) clearTimeout(pongTimer);
      },
      closed(event) {
        clearTimeout(pongTimer);
        clearTimeout(resumedTimer);
        if (isClosed) return;
        if (event instanceof CloseEvent && event.code === FORBIDDEN) return onForbidden();
        if (status.get().kind !== 'reconnecting') status.set({ kind: 'reconnecting', since: Date.now() });
      },
    },
  });

  return {
    client,
    status,
    close() {
      isClosed = true;
      clearTimeout(pongTimer);
      clearTimeout(resumedTimer);
      void client.dispose();
    },
  };
}

/** Waits, but no longer than until the network is back or somebody looks at the page. */
function untilNextTry(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const heard = new AbortController();
    const go = (): void => {
      clearTimeout(timer);
      heard.abort();
      resolve();
    };
    const timer = setTimeout(go, milliseconds * (0.75 + Math.random() / 2));
    const { signal } = heard;
    window.addEventListener('online', go, { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && go(), {
      signal,
    });
  });
}
