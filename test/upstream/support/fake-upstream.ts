import type { Instant } from '../../../src/domain/time.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { createGate } from '../../../src/upstream/gate.ts';
import type { HttpAnswer, HttpCall, HttpResult, NoAnswer } from '../../../src/upstream/http.ts';
import { createSmscodeApi } from '../../../src/upstream/smscode/client.ts';
import { countingRandom, keptLog, type LogLine, type SteppedClock, steppedClock } from './parts.ts';

export interface CountedCall {
  readonly operation: string;
  readonly result: string;
}

export interface FakeUpstream {
  readonly api: NumbersApi;
  readonly clock: SteppedClock;
  readonly startedAt: Instant;
  readonly calls: readonly HttpCall[];
  readonly counted: readonly CountedCall[];
  readonly lines: readonly LogLine[];
}

/** The client over an HTTP of the test's making. The clock moves only when the client sleeps. */
export function fakeUpstream(answer: (call: HttpCall, number: number) => HttpResult): FakeUpstream {
  const clock = steppedClock();
  const calls: HttpCall[] = [];
  const counted: CountedCall[] = [];
  const { log, lines } = keptLog();
  const api = createSmscodeApi({
    webhookSecret: null,
    baseUrl: 'https://upstream.example/v1',
    token: 'token',
    http: {
      call: async (call) => {
        calls.push(call);
        return answer(call, calls.length);
      },
      close: () => Promise.resolve(),
    },
    gate: createGate(8, clock),
    clock,
    random: countingRandom(),
    log,
    metrics: {
      upstreamCall: (_side, operation, result) => counted.push({ operation, result }),
    },
  });
  return { api, clock, startedAt: clock.now(), calls, counted, lines };
}

export function answered(
  status: number,
  body: string | Uint8Array | object,
  retryAfterSeconds: number | null = null,
): HttpAnswer {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'answer', status, body: bytes, retryAfterSeconds, elapsedMs: 12 };
}

export function succeeded(data: unknown, meta?: unknown): HttpAnswer {
  return answered(200, { success: true, data, ...(meta === undefined ? {} : { meta }) });
}

export function failed(status: number, code: string, details?: unknown): HttpAnswer {
  const error = { code, message: 'words', ...(details === undefined ? {} : { details }) };
  return answered(status, { success: false, error });
}

export function unanswered(why: NoAnswer['why']): NoAnswer {
  return { kind: 'no-answer', why, elapsedMs: 12 };
}

/** The filter that lets all products through. */
export const everything = { countryId: null, platformId: null, operatorId: null };
