import { describe, expect, test } from 'vitest';
import { parseBusinessJobId, parseOrderIdText, parseSupplierOrderId } from '../../src/domain/ids.ts';
import { suggestCode } from '../../src/domain/sms/suggest-code.ts';
import { planDelivery } from '../../src/domain/supplier/plan.ts';
import { parseInstant } from '../../src/domain/time.ts';
import { createCursors } from '../../src/resolvers/cursors.ts';
import { keyOfParameters } from '../../src/server/auth.ts';
import { contentKindOf } from '../../src/server/graphql-params.ts';
import { parseJson } from '../../src/upstream/json.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';

const cursors = createCursors('secret');
const scope = { list: 'orders', visibility: { kind: 'all' }, question: null } as const;

/** Whatever reads texts from outside, and the kinds of text that patterns stumble over. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a job’s name': parseBusinessJobId,
  'an order’s number': parseOrderIdText,
  'a supplier order’s name': parseSupplierOrderId,
  'an instant': parseInstant,
  'a cursor': (text) => cursors.open(scope, text),
  'a content type': contentKindOf,
  'a key of a socket': (text) => keyOfParameters({ authorization: text }),
  'a message, for its code': (text) => suggestCode(text),
  'an upstream’s JSON': (text) => parseJson(new TextEncoder().encode(text)),
  'lines to deliver': (text) => planDelivery({ quantity: 9, deliveredCount: 0, folded: new Set() }, [text]),
};
const nasty: readonly ((length: number) => string)[] = [
  (length) => 'a'.repeat(length),
  (length) => '1'.repeat(length),
  (length) => ' '.repeat(length),
  (length) => 'code 1-'.repeat(length / 7),
  (length) => '1 2 3-4.'.repeat(length / 8),
  (length) => `2026-01-01T00:00:00.${'0'.repeat(length)}`,
  (length) => '['.repeat(length),
  (length) => `"${'\\'.repeat(length)}`,
  (length) => 'a\n\r'.repeat(length / 3),
  (length) => '\u200b'.repeat(length),
  (length) => `application/json; ${'a=b; '.repeat(length / 5)}`,
];

/** In milliseconds of CPU, the quickest of three. */
function timeOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() =>
    cpuTimeOf(() => {
      try {
        work();
      } catch {
        // What is refused may take no longer.
      }
    }),
  );
  return Math.min(...times);
}

describe('no text takes longer than its length', () => {
  test.each(Object.entries(readers))(
    '%s',
    (_, read) => {
      for (const text of nasty) {
        const [short, long] = [text(8_000), text(64_000)];
        const [quick, slow] = [timeOf(() => read(short)), timeOf(() => read(long))];
        // Eight times the length: a quadratic rule takes 64 times as long. Below a few milliseconds nothing can be told.
        if (slow > 8) expect(slow / Math.max(quick, 0.25), text(20)).toBeLessThan(32);
        expect(slow, text(20)).toBeLessThan(1_000);
      }
    },
    60_000,
  );
});
