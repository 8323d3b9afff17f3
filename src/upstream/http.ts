import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector } from 'undici';
import { parseRetryAfter } from '../domain/backoff.ts';
import { type Instant, SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';

export const MIB = 1024 * 1024;

const CONNECT_TIMEOUT = 5 * SECOND;
const MOST_BYTES = MIB;

export interface HttpCall {
  /** What the log calls it. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  /** Sent as `Authorization: Bearer`; null: without. */
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as UTF-8, byte for byte. */
  readonly body?: string;
  /** When the whole call must be over, connecting and the body included. */
  readonly deadline: Instant;
  /** The largest body read, in bytes after decompression; 1 MiB when left out. */
  readonly mostBytes?: number;
}

/** Whatever the status: a redirect is an answer like any other, and is not followed. */
export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly body: Uint8Array;
  /** Null unless there was exactly one Retry-After and it was a positive whole number. */
  readonly retryAfterSeconds: number | null;
  readonly elapsedMs: number;
}

export interface NoAnswer {
  readonly kind: 'no-answer';
  /**
   * - `connect`: no connection came about, so nothing was sent.
   * - `timeout`: the deadline passed. The request may have arrived.
   * - `broken`: reset, half a body, not HTTP, or not decompressible. The request may have arrived.
   * - `too-large`: the body went over its limit and was given up.
   */
  readonly why: 'connect' | 'timeout' | 'broken' | 'too-large';
  readonly elapsedMs: number;
}

export type HttpResult = HttpAnswer | NoAnswer;

/** The only way out. Never throws, never repeats a request, and follows no redirect. */
export interface Http {
  call(call: HttpCall): Promise<HttpResult>;
  /** Ends what is under way (its callers get `broken`) and closes all connections. */
  close(): Promise<void>;
}

export interface HttpParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Milliseconds; for tests. */
  readonly connectTimeout?: number;
}

export function createHttp(parts: HttpParts): Http {
  const { clock, random, log } = parts;
  const agent = createAgent(parts.connectTimeout ?? CONNECT_TIMEOUT);

  async function send(call: HttpCall): Promise<HttpResult> {
    const startedAt = clock.now();
    const requestId = random.token();
    const abort = new AbortController();
    let stopTimer = () => {};
    const expiry = new Promise<Failed>((resolve) => {
      stopTimer = clock.after(Math.max(call.deadline - startedAt, 0), () => {
        // While undici still connects it does not listen to the signal; the race does not wait for it.
        resolve(TIMED_OUT);
        abort.abort();
      });
    });
    const raced =
      startedAt >= call.deadline
        ? TIMED_OUT
        : await Promise.race([exchange(agent, call, requestId, abort.signal), expiry]);
    stopTimer();
    // Timers stand still while the machine sleeps. What an answer says after its deadline, nobody waits for any more.
    const outcome = clock.now() >= call.deadline ? TIMED_OUT : raced;
    const elapsedMs = clock.now() - startedAt;
    const fields = { operation: call.operation, method: call.method, requestId, elapsedMs };
    if ('why' in outcome) {
      log.warn('upstream gave no answer', { ...fields, why: outcome.why, code: outcome.code });
      return { kind: 'no-answer', why: outcome.why, elapsedMs };
    }
    const { status, body, retryAfterSeconds, upstreamRequestId } = outcome;
    log[call.method === 'GET' && status < 400 ? 'debug' : 'info']('upstream answered', {
      ...fields,
      status,
      bytes: body.length,
      upstreamRequestId: isLoggable(upstreamRequestId, call) ? upstreamRequestId : null,
    });
    return { kind: 'answer', status, body, retryAfterSeconds, elapsedMs };
  }

  return { call: send, close: () => agent.destroy() };
}

/** Marks what went wrong before there was a connection: only then is it sure that nothing was sent. */
class ConnectFailed extends Error {
  readonly code: string | null;

  constructor(cause: Error) {
    super('no connection', { cause });
    this.code = errorCode(cause);
  }
}

function createAgent(connectTimeout: number): Agent {
  const connect = buildConnector({ timeout: connectTimeout });
  return new Agent({
    connect: (options, done) =>
      connect(options, (error, socket) =>
        error === null ? done(null, socket) : done(new ConnectFailed(error), null),
      ),
    // The deadline covers headers and body; undici's own five minutes would only hide a mistake.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

interface Answered {
  readonly status: number;
  readonly body: Uint8Array;
  readonly retryAfterSeconds: number | null;
  readonly upstreamRequestId: string | null;
}

interface Failed {
  readonly why: NoAnswer['why'];
  /** The error's code, for the log. Never its text: it may quote what was sent. */
  readonly code: string | null;
}

const TIMED_OUT: Failed = { why: 'timeout', code: null };

async function exchange(
  agent: Agent,
  call: HttpCall,
  requestId: string,
  signal: AbortSignal,
): Promise<Answered | Failed> {
  try {
    const { origin, pathname, search } = new URL(call.url);
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: call.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'switchboard',
        ...call.headers,
        ...(call.token !== null && { authorization: `Bearer ${call.token}` }),
        'content-type': 'application/json',
        'x-request-id': requestId,
      },
      body: call.body ?? null,
      signal,
    });
    const bytes = await readBody(body, headers['content-encoding'], call.mostBytes ?? MOST_BYTES);
    if (bytes === null) return { why: 'too-large', code: null };
    return {
      status: statusCode,
      body: bytes,
      retryAfterSeconds: parseRetryAfter(onlyValue(headers['retry-after'])),
      upstreamRequestId: onlyValue(headers['x-request-id']),
    };
  } catch (error) {
    const why = error instanceof ConnectFailed ? 'connect' : signal.aborted ? 'timeout' : 'broken';
    return { why, code: errorCode(error) };
  }
}

/** Null when the body is larger than `most` bytes: the rest is not read, and the connection is given up. */
async function readBody(
  body: Readable,
  encoding: string | string[] | undefined,
  most: number,
): Promise<Uint8Array | null> {
  const decoder = decoderOf(onlyValue(encoding));
  // Errors of the body reach the decoder, and the end of the decoder the body.
  const plain: AsyncIterable<Buffer> = decoder === null ? body : pipeline(body, decoder, () => {});
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of plain) {
    size += chunk.length;
    // Counted after decompression: a few kilobytes of gzip can hold gigabytes.
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Null for what is not compressed, and for an unknown coding: its bytes are judged as they are. */
function decoderOf(encoding: string | null) {
  switch (encoding?.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

function onlyValue(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The other side wrote it: no line break, nothing long, and no echo of what we sent may reach the log. */
function isLoggable(id: string | null, call: HttpCall): boolean {
  return id !== null && /^[\x21-\x7e]{1,128}$/.test(id) && !(call.token !== null && id.includes(call.token));
}
