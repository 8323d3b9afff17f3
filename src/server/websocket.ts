import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { refuseUpgrade } from './http.ts';
import type { ServerMetrics } from './prometheus.ts';
import { createSocketPace, LARGEST_BACKLOG, type SocketPace } from './socket-pace.ts';

/** ws takes frames of 100 MiB by default. */
const LARGEST_MESSAGE = 1024 * 1024;
/** How often sockets are looked at, and every how many looks they are pinged: proxies drop what is silent for a minute. */
const BEAT = 6 * SECOND;
const PING_EVERY = 2;
/** What a client that was told to go is given to say goodbye. */
const CLOSING_TIME = 2 * SECOND;

/** Speaks to one accepted socket. */
export interface SocketProtocol {
  opened(socket: WebSocket, pace: SocketPace): void;
}

export interface WebSocketEdge {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001 and resolves when they are gone, or cut off. */
  close(): Promise<void>;
}

/** Accepts WebSockets on one path, from pages of our own host or of listed origins, and keeps watch over them. */
export function createWebSocketEdge(deps: {
  readonly path: string;
  readonly protocol: SocketProtocol;
  readonly corsOrigins: readonly string[];
  readonly metrics: ServerMetrics;
  readonly clock: Clock;
  readonly log: Log;
}): WebSocketEdge {
  const { clock, metrics } = deps;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    handleProtocols,
  });
  const silent = new WeakSet<WebSocket>();
  const lagging = new WeakSet<WebSocket>();
  const paces = new WeakMap<WebSocket, SocketPace>();
  let beats = 0;

  /** One that does not read for two beats in a row is cut off: what waits for it must not be kept for ever. */
  const lookAt = (socket: WebSocket): void => {
    const isLagging = socket.bufferedAmount > LARGEST_BACKLOG;
    if (isLagging && lagging.has(socket)) {
      metrics.refused('stalled');
      // No close frame would get through.
      socket.terminate();
      return;
    }
    if (isLagging) lagging.add(socket);
    else lagging.delete(socket);
    if (beats % PING_EVERY !== 0) return;
    if (silent.has(socket)) {
      if (paces.get(socket)?.isFull() !== true) socket.terminate();
      return;
    }
    silent.add(socket);
    if (socket.readyState === socket.OPEN) socket.ping();
  };

  let stopBeating = (): void => undefined;
  const beat = (): void => {
    stopBeating = clock.after(BEAT, () => {
      beats += 1;
      for (const socket of server.clients) lookAt(socket);
      beat();
    });
  };
  beat();

  return {
    upgrade(request, socket, head) {
      const path = (request.url ?? '').split('?', 1)[0];
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') refuseUpgrade(socket, 400, 'Bad Request');
      else if (path !== deps.path) refuseUpgrade(socket, 404, 'Not Found');
      else if (!isAllowedOrigin(request, deps.corsOrigins)) {
        metrics.refused('origin');
        refuseUpgrade(socket, 403, 'Forbidden');
      } else {
        server.handleUpgrade(request, socket, head, (accepted) => {
          accepted.on('pong', () => silent.delete(accepted));
          // A frame over the limit, a broken one, a reset: ws has closed the socket with the fitting code already.
          accepted.on('error', (error) => deps.log.debug('a WebSocket failed', { error: error.name }));
          const pace = createSocketPace(accepted, socket);
          paces.set(accepted, pace);
          deps.protocol.opened(accepted, pace);
        });
      }
    },
    async close() {
      stopBeating();
      for (const socket of server.clients) socket.close(1001, 'Going away');
      const giveUpAt = clock.now() + CLOSING_TIME;
      while (server.clients.size > 0 && clock.now() < giveUpAt) await clock.sleep(SECOND / 20);
      for (const socket of server.clients) socket.terminate();
    },
  };
}

/** A page elsewhere could else open sockets from its visitors' machines. Programs send no Origin. */
function isAllowedOrigin(request: IncomingMessage, listed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || listed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
