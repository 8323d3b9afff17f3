import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { answerJson, type Exchange, type Route, refuse } from './exchange.ts';
import type { ServerMetrics } from './prometheus.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';

/** Node waits 60 s for headers and 300 s for a whole request. Bodies have nearer deadlines of their own. */
const HEADERS_TIMEOUT = 10 * SECOND;
const REQUEST_TIMEOUT = 75 * SECOND;
/** Longer than the minute that load balancers keep idle connections for: the one that closes first must be them. */
const KEEP_ALIVE_TIMEOUT = 65 * SECOND;
const LARGEST_HEADERS = 16 * 1024;
const LONGEST_TARGET = 16 * 1024;
/** Of a refused body, so that its sender reads the answer instead of a reset. Whoever still sends then is cut off. */
const DISCARDED_BYTES = 1024 * 1024;
const DISCARDING_TIME = 2 * SECOND;

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What is behind the socket, once it is there. */
export interface Served {
  readonly routes: ReadonlyMap<string, Route>;
  upgrade: Upgrade;
}

/** The listening server: limits, request ids, routing, and the last catch. */
export interface HttpEdge {
  /** Rejects where the address cannot be had. Until `serve`, everything is answered 503. */
  listen(host: string, port: number): Promise<{ readonly port: number }>;
  serve(served: Served): void;
  /** Accepts nothing new. Resolves when the last request under way is answered. */
  drain(): Promise<void>;
  /** Stops listening and cuts off whatever is still open. */
  destroy(): void;
}

export function createHttpEdge(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly metrics: ServerMetrics;
}): HttpEdge {
  const { clock, log, random, metrics } = deps;
  let served: Served | null = null;
  let isDraining = false;
  let underWay = 0;
  let whenIdle: (() => void) | null = null;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = clock.now();
    const exchange = new HttpExchange(request, response, log, random);
    const route = served?.routes.get(exchange.path);
    underWay += 1;
    if (response.socket === null) closeWith(request.socket, response);
    response.on('close', () => {
      underWay -= 1;
      if (underWay === 0) whenIdle?.();
      const milliseconds = clock.now() - startedAt;
      metrics.request(route?.name ?? 'none', response.statusCode, milliseconds);
      // Not by the request's own log: at most levels the line goes nowhere, and that log need not be made.
      log.debug('answered', {
        requestId: exchange.requestId,
        method: exchange.method,
        route: route?.name ?? null,
        status: response.statusCode,
        milliseconds,
      });
      if (!request.complete) discardRest(request, clock);
    });
    if (isDraining) response.setHeader('connection', 'close');
    respond(exchange, route)?.catch((error: unknown) => {
      exchange.log.error('a request could not be answered', { path: exchange.path }, error);
      const { requestId } = exchange;
      const message = 'Something went wrong here. The request id finds it in the log.';
      if (response.headersSent) response.destroy();
      else refuse(exchange, 500, { code: 'INTERNAL_SERVER_ERROR', message, requestId });
    });
  };

  const respond = (exchange: Exchange, route: Route | undefined): Promise<void> | null => {
    if (served === null) {
      answerJson(exchange, 503, { error: 'The gateway is starting.' }, { 'retry-after': '1' });
      return null;
    }
    if (route === undefined) {
      answerJson(exchange, 404, { error: 'There is nothing here.', paths: [...served.routes.keys()] });
      return null;
    }
    if (!route.methods.includes(exchange.method)) {
      answerJson(
        exchange,
        405,
        { error: `Only ${route.methods.join(', ')}.` },
        { allow: route.methods.join(', ') },
      );
      return null;
    }
    return route.handle(exchange);
  };

  const server = createServer({
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: SECOND,
    noDelay: true,
  });
  server.on('request', handle);
  // Else Node asks for the body before anybody has looked who is sending it.
  server.on('checkContinue', handle);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (served === null || isDraining) refuseUpgrade(socket, 503, 'Service Unavailable');
    else served.upgrade(request, socket, head);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, text] = CLIENT_ERRORS.get(error.code ?? '') ?? [400, 'Bad Request'];
    refuseUpgrade(socket, status, text);
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          if (address === null || typeof address === 'string')
            reject(new Error('the server listens on no port'));
          else resolve({ port: address.port });
        });
      }),
    serve(what) {
      served = what;
    },
    drain() {
      isDraining = true;
      server.close();
      server.closeIdleConnections();
      return new Promise((resolve) => {
        whenIdle = resolve;
        if (underWay === 0) resolve();
      });
    },
    destroy() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers on a bare socket, where there is no response to write to, and ends it. */
export function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  const body = JSON.stringify({ error: `${text}.` });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const CLIENT_ERRORS: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout']],
]);

/** A class, as there is one for each request: an object made with getters of its own takes several times as long. */
class HttpExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly log: Log;
  readonly #queryAt: number;

  constructor(request: IncomingMessage, response: ServerResponse, log: Log, random: Random) {
    const target = request.url ?? '/';
    const at = target.indexOf('?');
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    this.path = at < 0 ? target : target.slice(0, at);
    this.requestId = requestIdOf(request, random);
    this.log = new RequestLog(log, this.requestId);
    this.#queryAt = at;
  }

  get query(): URLSearchParams {
    const target = this.request.url ?? '/';
    const isRead = this.#queryAt >= 0 && target.length <= LONGEST_TARGET;
    return new URLSearchParams(isRead ? target.slice(this.#queryAt + 1) : '');
  }
}

/**
 * Of a response that waits for another one before it on its connection, Node never tells that the connection is gone: a
 * stream would stay open for ever, and a stop wait for it.
 */
function closeWith(socket: Duplex, response: ServerResponse): void {
  const close = (): void => {
    if (response.socket !== null || response.writableFinished) return;
    response.destroy();
    response.emit('close');
  };
  // Many may wait, and are no leak.
  socket.setMaxListeners(0);
  socket.once('close', close);
  response.once('close', () => socket.off('close', close));
}

function discardRest(request: IncomingMessage, clock: Clock): void {
  let left = DISCARDED_BYTES;
  const cut = (): void => {
    cancel();
    request.destroy();
  };
  const cancel = clock.after(DISCARDING_TIME, cut);
  request.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) cut();
  });
  request.on('error', cancel).once('close', cancel);
  request.resume();
}
