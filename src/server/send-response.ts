import type { Clock } from '../ports/clock.ts';
import { answerWithOthers, beginAnswer, type Exchange } from './exchange.ts';

/** How long a client may let a stream's bytes lie before its stream is ended: others must not pay for it. */
export interface StallLimit {
  readonly milliseconds: number;
  onStall(): void;
}

/** Sends what Yoga answered. Resolves when all is sent, or the client is gone. */
export async function sendResponse(
  exchange: Exchange,
  answered: Response,
  headers: Readonly<Record<string, string>>,
  clock: Clock,
  stall: StallLimit,
): Promise<void> {
  // How the bytes are framed is said by what sends them: a part of Yoga's is chunked, and ours has its length.
  for (const name of ['connection', 'transfer-encoding']) answered.headers.delete(name);
  const all = { ...Object.fromEntries(answered.headers), ...headers };
  if (!isEventStream(answered) || answered.body === null) {
    answerWithOthers(exchange, answered.status, await answered.text(), all);
    return;
  }
  beginAnswer(exchange, answered.status, {
    ...all,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  await pump(exchange, answered.body.getReader(), clock, stall);
}

export function isEventStream(answered: Response): boolean {
  return answered.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

async function pump(
  { response }: Exchange,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
  stall: StallLimit,
): Promise<void> {
  // A reader that waits for the next event would else never learn that nobody listens any more.
  const onClose = (): void => {
    reader.cancel().catch(() => undefined);
  };
  response.once('close', onClose);
  for (;;) {
    const { value, done } = await reader.read();
    if (response.destroyed) return;
    if (done) break;
    if (!response.write(value)) await drained(response, clock, stall);
  }
  response.end();
}

/** Waits until the socket takes more. A client that does not read for too long is cut off. */
function drained(response: Exchange['response'], clock: Clock, stall: StallLimit): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      response.off('drain', done).off('close', done);
      resolve();
    };
    const cancel = clock.after(stall.milliseconds, () => {
      stall.onStall();
      response.destroy();
    });
    response.on('drain', done).on('close', done);
  });
}
