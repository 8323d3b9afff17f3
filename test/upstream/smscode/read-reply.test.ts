import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/domain/time.ts';
import type { HttpResult } from '../../../src/upstream/http.ts';
import { readReply } from '../../../src/upstream/smscode/read-reply.ts';
import { answered, failed, succeeded, unanswered } from '../support/fake-upstream.ts';

const readAt = instant(1_000);
const read = (result: HttpResult) =>
  readReply(result, readAt, ({ data }) => (data === 'good' ? 'parsed' : null));

describe('what a read comes to', () => {
  it('its value', () => {
    expect(read(succeeded('good'))).toEqual({ kind: 'read', value: 'parsed', readAt });
  });

  it.each(['connect', 'timeout', 'broken', 'too-large'] as const)('%s: unavailable', (why) => {
    expect(read(unanswered(why))).toEqual({ kind: 'unavailable', httpStatus: null, retryAfterSeconds: null });
  });

  it.each<[string, HttpResult, object]>([
    ['401', failed(401, 'UNAUTHORIZED'), { kind: 'unauthorized', httpStatus: 401 }],
    ['403', failed(403, 'FORBIDDEN'), { kind: 'unauthorized', httpStatus: 403 }],
    ['401 of a proxy', answered(401, '<html>'), { kind: 'unauthorized', httpStatus: 401 }],
    ['429', failed(429, 'RATE_LIMIT_EXCEEDED'), { kind: 'throttled', retryAfterSeconds: null }],
    ['429 of a proxy', answered(429, 'slow down', 7), { kind: 'throttled', retryAfterSeconds: 7 }],
    [
      '429 with a ban',
      failed(429, 'TEMP_BANNED_ABUSE_GUARD', { retry_after_seconds: 90 }),
      { kind: 'throttled', retryAfterSeconds: 90 },
    ],
    ['500', failed(500, 'INTERNAL_ERROR'), { kind: 'unavailable', httpStatus: 500, retryAfterSeconds: null }],
    ['503', answered(503, '', 30), { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: 30 }],
    [
      '502 in HTML',
      answered(502, '<html>'),
      { kind: 'unavailable', httpStatus: 502, retryAfterSeconds: null },
    ],
    ['500 with a good body', answered(500, { success: true, data: 'good' }), { kind: 'unavailable' }],
    ['404', failed(404, 'NOT_FOUND'), { kind: 'refused', httpStatus: 404, code: 'NOT_FOUND' }],
    ['422', failed(422, 'VALIDATION_ERROR'), { kind: 'refused', httpStatus: 422, code: 'VALIDATION_ERROR' }],
    ['409', failed(409, 'CONFLICT'), { kind: 'refused', httpStatus: 409, code: 'CONFLICT' }],
    ['404 in HTML', answered(404, '<html>'), { kind: 'malformed', httpStatus: 404 }],
    ['413', answered(413, 'too large'), { kind: 'malformed', httpStatus: 413 }],
    ['a redirect', answered(307, ''), { kind: 'malformed', httpStatus: 307 }],
    [
      'a good body under 201',
      answered(201, { success: true, data: 'good' }),
      { kind: 'malformed', httpStatus: 201 },
    ],
    ['wrong data', succeeded('bad'), { kind: 'malformed', httpStatus: 200 }],
    ['no data', answered(200, { success: true }), { kind: 'malformed', httpStatus: 200 }],
    ['HTML under 200', answered(200, '<html>'), { kind: 'malformed', httpStatus: 200 }],
    ['half a body', answered(200, '{"success":true,"data":"go'), { kind: 'malformed', httpStatus: 200 }],
    [
      'a failure that is not exact',
      answered(404, { success: false }),
      { kind: 'malformed', httpStatus: 404 },
    ],
  ])('%s', (_name, result, reply) => {
    expect(read(result)).toMatchObject(reply);
  });

  it.each<[string, object]>([
    ['UNAUTHORIZED', { kind: 'unauthorized', httpStatus: 200 }],
    ['FORBIDDEN', { kind: 'unauthorized', httpStatus: 200 }],
    ['RATE_LIMIT_EXCEEDED', { kind: 'throttled' }],
    ['TEMP_BANNED_ABUSE_GUARD', { kind: 'throttled' }],
    ['INTERNAL_ERROR', { kind: 'unavailable', httpStatus: 200 }],
    ['SERVICE_UNAVAILABLE', { kind: 'unavailable', httpStatus: 200 }],
    ['NOT_FOUND', { kind: 'refused', httpStatus: 200, code: 'NOT_FOUND' }],
    ['SOMETHING_NEW', { kind: 'refused', httpStatus: 200, code: 'SOMETHING_NEW' }],
    ['constructor', { kind: 'refused', httpStatus: 200, code: 'constructor' }],
  ])('success false under 200 is a failure, told by its code: %s', (code, reply) => {
    expect(read(failed(200, code))).toMatchObject(reply);
  });
});
