import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import type { AttemptRequest } from '../../../src/domain/orders/attempt.ts';
import { rejectionCodes } from '../../../src/domain/orders/attempt.ts';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import { settle, type Transition } from '../../../src/domain/orders/settle.ts';
import { HOUR, later, SECOND } from '../../../src/domain/time.ts';
import { anAttempt, aSnapshot, catalogProductId, moment, orderId, start } from '../../support/values.ts';

const requests: Record<'CREATE' | 'REACTIVATE', AttemptRequest> = {
  CREATE: {
    kind: 'CREATE',
    catalogProductId: catalogProductId(88),
    quantity: 1,
    maxUnitPrice: null,
    routing: null,
  },
  REACTIVATE: { kind: 'REACTIVATE', orderId: orderId(7), maxCost: rupiah(5_000) },
};

const paths = [
  ['CREATE', 1],
  ['CREATE', 2],
  ['REACTIVATE', 1],
  ['REACTIVATE', 2],
] as const;

const now = moment(10 * SECOND);

function failure(httpStatus: number, code: string, retryAfterSeconds: number | null = null): PaidReply {
  return { kind: 'failure', httpStatus, code, retryAfterSeconds };
}

function told(transition: Transition): string {
  return transition.kind === 'needs-reconciliation' ? transition.reason : transition.kind;
}

describe.each(paths)('the table of answers: %s, send %d', (kind, sends) => {
  const attempt = anAttempt({ request: requests[kind], sends });
  const settled = (reply: PaidReply): Transition => settle(attempt, reply, now);

  it.each<[string, PaidReply, string]>([
    ['no answer', { kind: 'transport' }, 'TRANSPORT'],
    ['500', { kind: 'http-5xx', httpStatus: 500, retryAfterSeconds: null }, 'HTTP_5XX'],
    ['503', { kind: 'http-5xx', httpStatus: 503, retryAfterSeconds: 7 }, 'HTTP_5XX'],
    ['malformed', { kind: 'malformed', httpStatus: 200, retryAfterSeconds: null }, 'MALFORMED_RESPONSE'],
    ['malformed 422', { kind: 'malformed', httpStatus: 422, retryAfterSeconds: null }, 'MALFORMED_RESPONSE'],
    [
      'contradictory',
      { kind: 'contradictory', httpStatus: 200, retryAfterSeconds: null },
      'CONTRADICTORY_RESPONSE',
    ],
    ['201', { kind: 'contradictory', httpStatus: 201, retryAfterSeconds: null }, 'CONTRADICTORY_RESPONSE'],
    ['a broken success', { kind: 'malformed-success', httpStatus: 200 }, 'MALFORMED_SUCCESS'],
    ['409 REQUEST_IN_PROGRESS', failure(409, 'REQUEST_IN_PROGRESS'), 'REQUEST_IN_PROGRESS'],
    ['409 INSUFFICIENT_BALANCE', failure(409, 'INSUFFICIENT_BALANCE'), 'insufficient-balance'],
    ['422 NO_OFFER_AVAILABLE', failure(422, 'NO_OFFER_AVAILABLE'), 'definitive-rejection'],
    ['422 VALIDATION_ERROR', failure(422, 'VALIDATION_ERROR'), 'definitive-rejection'],
    ['422 PROVIDER_ERROR', failure(422, 'PROVIDER_ERROR'), 'definitive-rejection'],
    ['422 IDEMPOTENCY_KEY_REUSED', failure(422, 'IDEMPOTENCY_KEY_REUSED'), 'definitive-rejection'],
    ['401', failure(401, 'UNAUTHORIZED'), 'UNKNOWN_RESPONSE'],
    ['403', failure(403, 'FORBIDDEN'), 'UNKNOWN_RESPONSE'],
    ['429', failure(429, 'RATE_LIMIT_EXCEEDED', 9), 'UNKNOWN_RESPONSE'],
    ['a ban', failure(429, 'TEMP_BANNED_ABUSE_GUARD', 14_400), 'UNKNOWN_RESPONSE'],
    ['a code of tomorrow', failure(422, 'SOMETHING_NEW'), 'UNKNOWN_RESPONSE'],
    ['a final code under 400', failure(400, 'VALIDATION_ERROR'), 'UNKNOWN_RESPONSE'],
    ['a final code under 409', failure(409, 'NO_OFFER_AVAILABLE'), 'UNKNOWN_RESPONSE'],
    ['a final code under 200', failure(200, 'PROVIDER_ERROR'), 'UNKNOWN_RESPONSE'],
    ['INSUFFICIENT_BALANCE under 402', failure(402, 'INSUFFICIENT_BALANCE'), 'UNKNOWN_RESPONSE'],
    ['INSUFFICIENT_BALANCE under 422', failure(422, 'INSUFFICIENT_BALANCE'), 'UNKNOWN_RESPONSE'],
    ['REQUEST_IN_PROGRESS under 422', failure(422, 'REQUEST_IN_PROGRESS'), 'UNKNOWN_RESPONSE'],
    ['a code in lower case', failure(422, 'validation_error'), 'UNKNOWN_RESPONSE'],
    ['404 CONFLICT', failure(404, 'CONFLICT'), 'UNKNOWN_RESPONSE'],
    ['409 NOT_FOUND', failure(409, 'NOT_FOUND'), 'UNKNOWN_RESPONSE'],
    ['409 CANCEL_TOO_EARLY', failure(409, 'CANCEL_TOO_EARLY'), 'UNKNOWN_RESPONSE'],
  ])('%s', (_, reply, expected) => {
    expect(told(settled(reply))).toBe(expected);
  });

  const isFinalHere = kind === 'REACTIVATE' && sends === 1;
  it.each([
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
  ])(`%d %s is ${isFinalHere ? '' : 'not '}final`, (status, code) => {
    expect(settled(failure(status, code))).toEqual(
      isFinalHere
        ? { kind: 'definitive-rejection', httpStatus: status, code }
        : expect.objectContaining({ reason: 'UNKNOWN_RESPONSE', httpStatus: status, errorCode: code }),
    );
  });

  it('keeps what was answered', () => {
    expect(settled(failure(422, 'PROVIDER_ERROR'))).toEqual({
      kind: 'definitive-rejection',
      httpStatus: 422,
      code: 'PROVIDER_ERROR',
    });
    expect(settled(failure(409, 'INSUFFICIENT_BALANCE'))).toEqual({
      kind: 'insufficient-balance',
      httpStatus: 409,
    });
    expect(settled(failure(418, 'TEAPOT'))).toMatchObject({ httpStatus: 418, errorCode: 'TEAPOT' });
    expect(settled({ kind: 'transport' })).toMatchObject({ httpStatus: null, errorCode: null });
    expect(settled({ kind: 'malformed-success', httpStatus: 200 })).toMatchObject({ httpStatus: 200 });
  });

  it('knows no other final answer, whatever status and code', () => {
    const code = fc.oneof(
      fc.constantFrom(...rejectionCodes, 'INSUFFICIENT_BALANCE', 'REQUEST_IN_PROGRESS', 'UNAUTHORIZED'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 499 }), code, (status, given) => {
        const isFinal =
          (status === 422 && FINAL.includes(given)) ||
          (status === 409 && given === 'INSUFFICIENT_BALANCE') ||
          (isFinalHere && status === 404 && given === 'NOT_FOUND') ||
          (isFinalHere && status === 409 && given === 'CONFLICT');
        expect(settled(failure(status, given)).kind !== 'needs-reconciliation').toBe(isFinal);
      }),
      { numRuns: 500 },
    );
  });
});

const FINAL = ['NO_OFFER_AVAILABLE', 'VALIDATION_ERROR', 'PROVIDER_ERROR', 'IDEMPOTENCY_KEY_REUSED'];

describe('orders made', () => {
  const made = (orders: number, failedCount: number): PaidReply => ({
    kind: 'made',
    orders: Array.from({ length: orders }, (_, n) => aSnapshot({ id: orderId(n) })),
    failedCount,
  });

  it.each([
    [1, 1, 0],
    [1, 0, 1],
    [3, 2, 1],
    [3, 0, 3],
    [100, 100, 0],
  ])('of %d asked for, %d made and %d failed resolve', (quantity, orders, failed) => {
    const reply = made(orders, failed);
    expect(settle(anAttempt({ quantity }), reply, now)).toEqual({
      ...reply,
      kind: 'resolved',
    });
  });

  it.each([
    [1, 0, 0],
    [1, 2, 0],
    [3, 2, 0],
    [3, 2, 2],
    [2, 1, 0],
  ])('of %d asked for, %d made and %d failed do not add up', (quantity, orders, failed) => {
    expect(settle(anAttempt({ quantity }), made(orders, failed), now)).toEqual({
      kind: 'needs-reconciliation',
      reason: 'MALFORMED_SUCCESS',
      httpStatus: 200,
      errorCode: null,
      nextAttemptAt: later(now, 2 * SECOND),
    });
  });
});

describe('when it is replayed', () => {
  const next = (reply: PaidReply, change = {}): number => {
    const transition = settle(anAttempt(change), reply, now);
    if (transition.kind !== 'needs-reconciliation') throw new Error('the test expected no final answer');
    return transition.nextAttemptAt - now;
  };
  const broken = (retryAfterSeconds: number | null): PaidReply => ({
    kind: 'http-5xx',
    httpStatus: 503,
    retryAfterSeconds,
  });

  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 32],
    [6, 60],
    [31, 60],
  ])('after %d sends: in %d s', (sends, seconds) => {
    expect(next({ kind: 'transport' }, { sends })).toBe(seconds * SECOND);
  });

  it.each([
    ['longer', 1, 45, 45],
    ['shorter', 4, 3, 16],
    ['none', 4, null, 16],
  ])('with a Retry-After that is %s', (_, sends, retryAfter, seconds) => {
    expect(next(broken(retryAfter), { sends })).toBe(seconds * SECOND);
    expect(next(failure(429, 'RATE_LIMIT_EXCEEDED', retryAfter), { sends })).toBe(seconds * SECOND);
  });

  const left = HOUR - 10 * SECOND;
  it.each([
    ['a Retry-After past the deadline', broken(14_400), {}, left],
    ['a Retry-After of centuries', broken(9_999_999_999), {}, left],
    [
      'our own wait past the deadline',
      broken(null),
      { sends: 6, replayDeadlineAt: later(now, 59 * SECOND) },
      59_000,
    ],
    [
      'a wait to the very deadline',
      broken(null),
      { sends: 6, replayDeadlineAt: later(now, 60 * SECOND) },
      60_000,
    ],
    ['an answer after the deadline', broken(null), { replayDeadlineAt: later(now, -5 * SECOND) }, -5_000],
  ] as const)('is cut to the deadline: %s', (_, reply, change, wait) => {
    expect(next(reply, change)).toBe(wait);
  });

  it('is never after the deadline, and never before the guide allows, save for the deadline', () => {
    const retryAfter = fc.option(fc.integer({ min: 1, max: 9_999_999_999 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 32 }),
        retryAfter,
        fc.integer({ max: HOUR }),
        (sends, seconds, rest) => {
          const replayDeadlineAt = later(now, rest);
          const wait = next(broken(seconds), { sends, replayDeadlineAt });
          expect(wait).toBeLessThanOrEqual(rest);
          expect(wait === rest || wait >= Math.min(2_000 * 2 ** Math.min(sends - 1, 5), 60_000)).toBe(true);
        },
      ),
    );
  });

  it('starts counting at the store’s time, wherever the attempt began', () => {
    expect(settle(anAttempt(), { kind: 'transport' }, start)).toMatchObject({
      nextAttemptAt: later(start, 2 * SECOND),
    });
  });
});
