import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Exchange } from '../../src/server/exchange.ts';
import type { ServerMetrics } from '../../src/server/prometheus.ts';
import { sendResponse } from '../../src/server/send-response.ts';
import type { SocketPace } from '../../src/server/socket-pace.ts';
import { createWebSocketEdge } from '../../src/server/websocket.ts';
import { until } from '../api/support/gateway.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { keptLog } from '../support/kept-log.ts';

const servers: Server[] = [];
const clients: (Socket | WebSocket)[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client instanceof WebSocket ? client.terminate() : client.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function refusals(): { readonly metrics: ServerMetrics; readonly whys: string[] } {
  const whys: string[] = [];
  return { whys, metrics: { request: () => undefined, refused: (why) => whys.push(why) } };
}

describe('a WebSocket', () => {
  async function scene() {
    const clock = createFakeClock();
    const { metrics, whys } = refusals();
    const accepted: WebSocket[] = [];
    const paces: SocketPace[] = [];
    const server = createServer();
    const edge = createWebSocketEdge({
      path: '/graphql',
      protocol: {
        opened(socket, pace) {
          accepted.push(socket);
          paces.push(pace);
        },
      },
      corsOrigins: [],
      metrics,
      clock,
      log: keptLog().log,
    });
    server.on('upgrade', edge.upgrade);
    const port = await listening(server);
    const open = async (): Promise<WebSocket> => {
      const client = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
      clients.push(client);
      await new Promise((resolve) => client.once('open', resolve));
      return client;
    };
    return { clock, whys, accepted, paces, edge, open };
  }

  test('whose client reads nothing is cut off once its backlog has lasted, and another is not', async () => {
    const { clock, whys, accepted, open } = await scene();
    const stalled = await open();
    const healthy = await open();
    stalled.pause();
    const [toStalled, toHealthy] = accepted;
    for (let n = 0; n < 64; n++) toStalled?.send('x'.repeat(256 * 1024));
    toHealthy?.send('hello');
    await until('more waits than may', () => (toStalled?.bufferedAmount ?? 0) > 1024 * 1024);
    await clock.pass(6_000);
    expect(toStalled?.readyState).toBe(WebSocket.OPEN);
    await clock.pass(6_000);
    await until('it is gone', () => toStalled?.readyState === WebSocket.CLOSED);
    expect(whys).toEqual(['stalled']);
    expect(toHealthy?.readyState).toBe(WebSocket.OPEN);
    expect(healthy.readyState).toBe(WebSocket.OPEN);
  });

  test('whose client asks and does not read is not read until it does', async () => {
    const { accepted, open } = await scene();
    const client = await open();
    const [server] = accepted;
    let asked = 0;
    server?.on('message', () => {
      asked += 1;
      server.send('x'.repeat(64 * 1024));
    });
    client.pause();
    for (let n = 0; n < 1_000; n++) client.send(`question ${n} ${'y'.repeat(16 * 1024)}`);
    await until('much waits', () => (server?.bufferedAmount ?? 0) > 1024 * 1024);
    const held = asked;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(asked - held).toBeLessThan(10);
    expect(server?.bufferedAmount).toBeLessThan(4 * 1024 * 1024);
    let answers = 0;
    client.on('message', () => {
      answers += 1;
    });
    client.resume();
    await until('all is answered', () => answers === 1_000);
    expect(asked).toBe(1_000);
  });

  test('is not read while a hundred of its operations are under way, nor cut off for its silence', async () => {
    const { clock, accepted, paces, open } = await scene();
    const client = await open();
    const [server] = accepted;
    const [pace] = paces;
    let asked = 0;
    server?.on('message', () => {
      asked += 1;
      pace?.begun();
    });
    for (let n = 0; n < 500; n++) client.send(`question ${n} ${'y'.repeat(16 * 1024)}`);
    await until('a hundred have come', () => asked >= 100);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // What had been read at once with the hundredth.
    expect(asked).toBeLessThan(110);
    await clock.pass(48_000);
    expect(server?.readyState).toBe(WebSocket.OPEN);
    let ended = 0;
    await until('all have come', () => {
      for (; ended < asked; ended++) pace?.ended();
      return asked === 500;
    });
  });

  test('that answers no ping is cut off, and one that does stays', async () => {
    const { clock, accepted, open } = await scene();
    const dead = await open();
    await open();
    dead.pause();
    const [toDead, toAlive] = accepted;
    const alive = new Promise<void>((resolve) => toAlive?.once('pong', () => resolve()));
    await clock.pass(12_000);
    await alive;
    await clock.pass(12_000);
    await until('the dead one is gone', () => toDead?.readyState === WebSocket.CLOSED);
    expect(toAlive?.readyState).toBe(WebSocket.OPEN);
  });

  test('is closed with 1001 at the end, and cut off where it does not answer', async () => {
    const { clock, accepted, edge, open } = await scene();
    const polite = await open();
    const deaf = await open();
    deaf.pause();
    const code = new Promise((resolve) => polite.once('close', resolve));
    await clock.until(edge.close());
    expect(await code).toBe(1001);
    await until('both are gone', () => accepted.every((socket) => socket.readyState === WebSocket.CLOSED));
  });
});

describe('a stream of events', () => {
  async function scene(next: () => string) {
    const clock = createFakeClock();
    let stalls = 0;
    let cancels = 0;
    let sent: Promise<void> = Promise.resolve();
    const server = createServer((request, response) => {
      const exchange: Exchange = {
        request,
        response,
        method: 'GET',
        path: '/',
        query: new URLSearchParams(),
        requestId: 'r1',
        log: keptLog().log,
      };
      const body = new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(next())),
        cancel: () => {
          cancels += 1;
        },
      });
      const answered = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      sent = sendResponse(exchange, answered, {}, clock, {
        milliseconds: 30_000,
        onStall: () => {
          stalls += 1;
        },
      });
    });
    const port = await listening(server);
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return { clock, client, counts: () => ({ stalls, cancels }), sent: () => sent };
  }

  test('whose client reads nothing is ended after a while, at its source too', async () => {
    const { clock, client, counts, sent } = await scene(() => `data: ${'x'.repeat(64 * 1024)}\n\n`);
    client.pause();
    await until('the socket is full', () => clock.timers() > 0);
    await clock.pass(29_999);
    expect(counts()).toEqual({ stalls: 0, cancels: 0 });
    await clock.pass(1);
    await sent();
    await until('the source was told', () => counts().cancels === 1);
    expect(counts().stalls).toBe(1);
  });

  test('goes on where its client only pauses', async () => {
    const { clock, client, counts } = await scene(() => `data: ${'x'.repeat(64 * 1024)}\n\n`);
    client.pause();
    await until('the socket is full', () => clock.timers() > 0);
    await clock.pass(20_000);
    let read = 0;
    client.on('data', (part) => {
      read += part.length;
    });
    client.resume();
    await until('megabytes have come', () => read > 8 * 1024 * 1024);
    expect(counts()).toEqual({ stalls: 0, cancels: 0 });
  });
});
