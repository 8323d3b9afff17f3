import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Outcome } from './exchange.ts';
import { type Reply, refusal, textReply } from './reply.ts';
import type { World } from './world.ts';

/** Of a call to the control paths. */
const CONTROL_BODY_LIMIT = 1_000_000;
/** How much of an oversized body is read and thrown away, so that its sender hears the 413 instead of a reset. */
const DISCARD_LIMIT = 64_000_000;
/** Smaller answers gain nothing from compression. */
const GZIP_FROM = 1024;

const compress = promisify(gzip);

export type Listening = { readonly origin: string; close(): Promise<void> };

/** Serves a world over HTTP. Rejects where the port is taken. */
export function listen(world: World, host: string, port: number): Promise<Listening> {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const target = request.url ?? '/';
    if (!URL.canParse(target, 'http://sandbox')) return send(response, refusal(400, 'no such address'));
    if (target.startsWith('/_sandbox/')) {
      if (!isLoopbackAddress(request.socket.remoteAddress))
        return send(response, refusal(403, 'loopback only'));
      const { host: asked, origin } = request.headers;
      return send(
        response,
        world.control({
          method,
          target,
          host: asked,
          origin,
          body: await readBody(request, CONTROL_BODY_LIMIT),
        }),
      );
    }
    const open = world.open({ method, target, headers: flatHeaders(request) });
    if (open === null) {
      return send(response, refusal(404, 'the sandbox answers below /v1, /api/admin/v2 and /_sandbox'));
    }
    let body: Uint8Array | null;
    try {
      body = await readBody(request, open.bodyLimit);
    } catch {
      return open.abandon();
    }
    await play(await open.finish(body), request, response);
  }

  async function play(outcome: Outcome, request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (outcome.kind) {
      case 'answer':
        return send(response, await encoded(outcome.reply, request));
      case 'cut':
        return sendHalf(response, outcome.reply, outcome.told);
      case 'drip':
        return drip(response, outcome.reply, outcome.everyMs);
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'hang':
        return;
    }
  }

  function drip(response: ServerResponse, reply: Reply, everyMs: number): void {
    response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length });
    const next = (at: number): void => {
      if (response.destroyed) return;
      if (at >= reply.body.length) {
        response.end();
        return;
      }
      response.write(reply.body.subarray(at, at + 1));
      world.clock.after(everyMs, () => next(at + 1));
    };
    next(0);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((cause: unknown) => {
      const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      if (response.headersSent) response.destroy();
      else send(response, textReply(500, `the sandbox itself broke: ${reason}`));
    });
  });
  server.keepAliveTimeout = 65_000;

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({
        origin: `http://${shown}:${portOf(server.address())}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length });
  response.end(reply.body);
}

/** Written to the socket by hand: Node's own response would not tell such a lie. */
function sendHalf(response: ServerResponse, reply: Reply, told: 'length' | 'close'): void {
  const framing = told === 'length' ? `content-length: ${reply.body.length}` : 'connection: close';
  const headers = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { socket } = response;
  socket?.write(`HTTP/1.1 ${reply.status} Sandbox\r\n${headers.join('')}${framing}\r\n\r\n`);
  socket?.end(reply.body.subarray(0, Math.floor(reply.body.length / 2)));
}

async function encoded(reply: Reply, request: IncomingMessage): Promise<Reply> {
  const asked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!asked || reply.compressible !== true || reply.body.length < GZIP_FROM) return reply;
  const body = await compress(reply.body, { level: 1 });
  return {
    ...reply,
    headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body,
  };
}

/** The whole body, or null where it is over the limit. Throws where the caller goes away before its end. */
async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if (!(part instanceof Uint8Array)) throw new TypeError('a body part that is no bytes');
    size += part.length;
    if (size <= limit) parts.push(part);
    if (size > DISCARD_LIMIT) break;
  }
  return size > limit ? null : Buffer.concat(parts);
}

function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the sandbox listens on no port');
  return address.port;
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
