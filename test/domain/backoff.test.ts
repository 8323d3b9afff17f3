import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, readBackoff, replayBackoff } from '../../src/domain/backoff.ts';

describe('the replay of a paid request', () => {
  it.each([
    [0, 2_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 16_000],
    [5, 32_000],
    [6, 60_000],
    [7, 60_000],
    [32, 60_000],
  ])('after %d sends waits %d ms', (sends, wait) => {
    expect(replayBackoff(sends, null)).toBe(wait);
  });

  it.each([
    ['longer: obeyed', 1, 7, 7_000],
    ['hours: obeyed', 1, 14_400, 14_400_000],
    ['shorter: our own wait stays', 5, 3, 32_000],
    ['the same', 1, 2, 2_000],
    ['longer than any of ours', 32, 61, 61_000],
  ])('with a Retry-After that is %s', (_, sends, retryAfter, wait) => {
    expect(replayBackoff(sends, retryAfter)).toBe(wait);
  });

  it('is never sooner than without a Retry-After, and never falls with more sends', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.option(fc.integer({ min: 1, max: 1e10 })), (sends, retryAfter) => {
        const wait = replayBackoff(sends, retryAfter);
        expect(wait).toBeGreaterThanOrEqual(replayBackoff(sends, null));
        expect(wait).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1_000);
        expect(replayBackoff(sends + 1, retryAfter)).toBeGreaterThanOrEqual(wait);
      }),
    );
  });
});

describe('a throttled read', () => {
  it.each([
    [0, 0, 1_000],
    [0, 0.5, 1_500],
    [1, 0, 2_000],
    [2, 0.25, 4_250],
    [4, 0.999, 16_999],
    [5, 0, 30_000],
    [5, 0.5, 30_000],
    [1_000, 0.5, 30_000],
  ])('retry %d with the chance %d waits %d ms', (retry, chance, wait) => {
    expect(readBackoff(retry, null, chance)).toBe(wait);
  });

  it.each([
    [1, 1_000],
    [59, 59_000],
    [60, 60_000],
    [61, 60_000],
    [9_999_999_999, 60_000],
  ])('told %d s waits %d ms, whatever the retry', (retryAfter, wait) => {
    expect(readBackoff(0, retryAfter, 0.9)).toBe(wait);
    expect(readBackoff(9, retryAfter, 0.9)).toBe(wait);
  });
});

describe('Retry-After', () => {
  it.each([
    ['1', 1],
    ['60', 60],
    ['007', 7],
    ['14400', 14_400],
    ['9999999999', 9_999_999_999],
  ])('%s', (header, seconds) => {
    expect(parseRetryAfter(header)).toBe(seconds);
  });

  it.each([
    '0',
    '00',
    '-3',
    '+3',
    '1.5',
    '1e3',
    '0x10',
    '99999999999',
    'Wed, 21 Oct 2026 07:28:00 GMT',
    '5, 7',
    '5 ',
    '',
    'soon',
    '５',
    'Infinity',
    'NaN',
  ])('is as good as absent when it is %j', (header) => {
    expect(parseRetryAfter(header)).toBeNull();
  });

  it('may be absent', () => {
    expect(parseRetryAfter(null)).toBeNull();
  });
});
