import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAnswers } from './http-load.ts';

export interface PacedResult {
  readonly answered: number;
  /** Answers that were not 2xx. */
  readonly failed: number;
  /** Times that a request was due and no connection was free: the pace was not kept. */
  readonly late: number;
}

const TICK_MS = 10;

/** An open loop: so many requests a second come in whatever the answers take, as from a provider. */
export async function pacedLoad(asked: {
  readonly port: number;
  readonly connections: number;
  readonly perSecond: number;
  readonly milliseconds: number;
  readonly request: () => Buffer;
}): Promise<PacedResult> {
  const sockets: Socket[] = [];
  const free: Socket[] = [];
  let answered = 0;
  let failed = 0;
  let late = 0;
  for (let at = 0; at < asked.connections; at++) {
    const socket = connect({ port: asked.port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket.once('connect', () => free.push(socket));
    readAnswers(socket, (status) => {
      answered += 1;
      if (status < 200 || status > 299) failed += 1;
      free.push(socket);
    });
  }
  while (free.length < sockets.length) await sleep(1);
  const startedAt = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < asked.milliseconds; elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed / 1_000) * asked.perSecond) - sent;
    for (let one = 0; one < due; one++) {
      const socket = free.pop();
      if (socket === undefined) {
        late += 1;
        break;
      }
      socket.write(asked.request());
      sent += 1;
    }
    await sleep(TICK_MS);
  }
  while (answered < sent) await sleep(1);
  for (const socket of sockets) socket.destroy();
  return { answered, failed, late };
}
