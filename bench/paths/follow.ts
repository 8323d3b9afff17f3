import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import { type LoadResult, readAnswers } from '../harness/http-load.ts';
import { type Running, SERVER_CORE, startServer } from '../harness/process.ts';
import { type Contender, type Plan, race } from '../harness/rounds.ts';
import { FIRST_ORDER, seedOrders } from '../harness/seed.ts';
import { SECRET, signedEvent } from '../harness/signed-event.ts';
import { OURS, type PathResult } from '../harness/table.ts';

const FOLLOW =
  'subscription F($id: ID!) { smsReceived(orderId: $id, afterRevision: 0) { revision message otpCode } }';
const STREAMS_PER_SOCKET = 500;
/** Webhooks under way at once: each is posted when the one before it on its connection has come to its stream. */
const IN_FLIGHT = 64;

/** From the webhook's first byte to its `next` message, over `streams` open subscriptions of one order each. */
export function follow(streams: number): (plan: Plan) => Promise<PathResult> {
  return async (plan) => {
    const stub = await upstream({});
    const memory = new Map<string, { before: number; after: number }>();
    const open = new Map<string, Followers>();
    try {
      const ours = gateway(stub.port);
      const seed = await ours.start();
      await seedOrders(seed, ours.authorization, streams);
      await seed.stop();
      const bare = {
        file: 'peers/follow.ts',
        core: SERVER_CORE,
        environment: { SECRET, DATABASE: join(scratch(), 'bare.db') },
      };
      const contenders: Contender[] = [
        { name: 'bare node:http + HMAC + durable insert + ws.send', start: () => startServer(bare) },
        { name: OURS, start: () => ours.start({ MAX_STREAMS_PER_KEY: '100000' }) },
      ];
      const revisions = new Map<string, number>();
      const figures = await race(contenders, plan, async (running, name, milliseconds) => {
        let followers = open.get(name);
        if (followers === undefined) {
          const before = running.memory();
          followers = await subscribe(running.port, ours.authorization, streams);
          memory.set(name, { before, after: running.memory() });
          open.set(name, followers);
        }
        const from = revisions.get(name) ?? 1;
        const result = await drive(running, followers, streams, milliseconds, from);
        revisions.set(name, from + Math.ceil(result.answered / streams) + 1);
        return result;
      });
      const { before = 0, after = 0 } = memory.get(OURS) ?? {};
      const perStream = ((after - before) / streams / 1_024).toFixed(1);
      return {
        path: `webhook to next message, ${streams} streams`,
        what: `Durable; ${IN_FLIGHT} webhooks under way. rps: messages that came; latency: from posting to the message. Memory a stream: ${perStream} KiB.`,
        figures,
        targets: [{ to: 'bare node:http + HMAC + durable insert + ws.send', atLeast: 0.7 }],
      };
    } finally {
      for (const followers of open.values()) followers.close();
      await stub.stop();
    }
  };
}

interface Followers {
  onNext: (orderId: number, revision: number) => void;
  close(): void;
}

async function subscribe(port: number, authorization: string, streams: number): Promise<Followers> {
  const sockets: WebSocket[] = [];
  const followers: Followers = {
    onNext: () => undefined,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
  for (let at = 0; at < streams; at += STREAMS_PER_SOCKET) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
      );
      socket.on('message', (data) => {
        const text = String(data);
        if (text.includes('"next"')) {
          followers.onNext(
            Number(/"id":"(\d+)"/.exec(text)?.[1]),
            Number(/"revision":(\d+)/.exec(text)?.[1]),
          );
          if (text.includes('"errors"')) reject(new Error(text));
        } else if (text.includes('connection_ack')) {
          for (let stream = at; stream < Math.min(streams, at + STREAMS_PER_SOCKET); stream++) {
            const id = String(FIRST_ORDER + stream);
            socket.send(
              JSON.stringify({ id, type: 'subscribe', payload: { query: FOLLOW, variables: { id } } }),
            );
          }
          resolve();
        } else if (text.includes('"error"')) reject(new Error(text));
      });
    });
  }
  // The last of them has been read when the server has been idle for a moment.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return followers;
}

async function drive(
  running: Running,
  followers: Followers,
  streams: number,
  milliseconds: number,
  firstRevision: number,
): Promise<LoadResult> {
  const taken: number[] = [];
  const postedAt = new Map<string, number>();
  const sockets: Socket[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + milliseconds;
  let sequence = 0;
  let failed = 0;
  let underWay = 0;
  await new Promise<void>((resolve, reject) => {
    const free: Socket[] = [];
    /** Posts that wait for a connection: messages may come before the answers to their webhooks. */
    let wanted = 0;
    const post = (): void => {
      const socket = free.pop();
      if (socket === undefined) {
        wanted += 1;
        return;
      }
      const orderId = FIRST_ORDER + (sequence % streams);
      const revision = firstRevision + Math.floor(sequence / streams);
      sequence += 1;
      underWay += 1;
      postedAt.set(`${orderId}/${revision}`, performance.now());
      socket.write(signedEvent(orderId, revision));
    };
    const next = (): void => {
      if (performance.now() < endAt) post();
      else if (underWay === 0) {
        clearTimeout(givenUp);
        resolve();
      }
    };
    followers.onNext = (orderId, revision) => {
      const key = `${orderId}/${revision}`;
      const at = postedAt.get(key);
      if (at === undefined) return;
      postedAt.delete(key);
      taken.push(performance.now() - at);
      underWay -= 1;
      next();
    };
    const givenUp = setTimeout(() => {
      failed += underWay;
      resolve();
    }, milliseconds + 10_000);
    for (let at = 0; at < IN_FLIGHT * 2; at++) {
      const socket = connect({ port: running.port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      socket.once('error', reject);
      socket.once('connect', () => {
        free.push(socket);
        if (at < IN_FLIGHT) post();
      });
      readAnswers(socket, (status) => {
        if (status !== 200) failed += 1;
        free.push(socket);
        if (wanted > 0 && performance.now() < endAt) {
          wanted -= 1;
          post();
        }
      });
    }
  });
  for (const socket of sockets) socket.destroy();
  return {
    answered: taken.length,
    seconds: (performance.now() - startedAt) / 1_000,
    latencies: Float64Array.from(taken).sort(),
    failed,
  };
}
