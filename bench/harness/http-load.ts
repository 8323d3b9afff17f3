import { connect, type Socket } from 'node:net';

/** One request, as bytes for the wire. Told how many went before it, so that no two need be alike. */
export type RequestMaker = (sequence: number) => Buffer;

export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array;
  /** Answers that were not 2xx. */
  readonly failed: number;
}

/**
 * A closed loop over keep-alive connections, each with one request under way: no pipelining. On bare sockets, so that the
 * generator costs less than the leanest server; undici's Pool costs more than node:http and would measure itself.
 */
export async function httpLoad(asked: {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly request: RequestMaker;
  readonly first?: number;
}): Promise<LoadResult> {
  const taken: number[] = [];
  let failed = 0;
  let sequence = asked.first ?? 0;
  const startedAt = performance.now();
  const endAt = startedAt + asked.milliseconds;
  const loop = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0;
      const socket = connect({ port: asked.port, host: '127.0.0.1', noDelay: true });
      const send = (): void => {
        sentAt = performance.now();
        if (sentAt >= endAt) {
          socket.destroy();
          resolve();
          return;
        }
        socket.write(asked.request(sequence++));
      };
      readAnswers(socket, (status) => {
        taken.push(performance.now() - sentAt);
        if (status < 200 || status > 299) failed += 1;
        send();
      });
      socket.once('connect', send).once('error', reject);
      socket.once('end', () => reject(new Error('the contender closed a connection')));
    });
  await Promise.all(Array.from({ length: asked.connections }, loop));
  return {
    answered: taken.length,
    seconds: (performance.now() - startedAt) / 1_000,
    latencies: Float64Array.from(taken).sort(),
    failed,
  };
}

const FAILED = 599;
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

/** Calls back with the status of each whole answer. Knows Content-Length and chunked, as every contender sends the one or other. */
export function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let held: Buffer | null = null;
  let status = 0;
  /** Bytes of the body still to come; -1 in a chunked one; null before its head has come. */
  let left: number | null = null;
  const onData = (part: Buffer): void => {
    let data = held === null ? part : Buffer.concat([held, part]);
    held = null;
    if (left === null) {
      const end = data.indexOf(HEAD_END);
      if (end < 0) {
        held = data;
        return;
      }
      const head = data.toString('latin1', 0, end);
      status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      left = length === undefined ? -1 : Number(length);
      data = data.subarray(end + 4);
      // GraphQL says what went wrong with 200.
      if (data.toString('latin1', 0, 10) === '{"errors":') status = FAILED;
    }
    if (left >= 0) {
      left -= data.length;
      if (left > 0) return;
    } else {
      const tail = data.subarray(Math.max(0, data.length - 5));
      if (!tail.equals(CHUNKS_END)) {
        // The end mark may come in two parts: five bytes are kept to know it by.
        held = Buffer.from(tail);
        return;
      }
    }
    left = null;
    onAnswer(status);
  };
  socket.on('data', onData);
}

export function postBytes(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Buffer {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n`),
    Buffer.from(body),
  ]);
}

/** The answer to one request, whole: what the bare contender will send, and what shows that all send the same. */
export async function ask(
  port: number,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text.slice(0, 500)}`);
  return text;
}
