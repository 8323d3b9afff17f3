import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeliveryPlan, foldLine, planDelivery } from '../../../src/domain/supplier/plan.ts';
import { foldLine as foldLineUpstream, freshLines, splitLines } from '../../../src/sandbox/supplier/lines.ts';

function plan(elements: readonly string[], quantity: number, earlier: readonly string[] = []): DeliveryPlan {
  const folded = new Set(earlier.map(foldLine));
  return planDelivery({ quantity, deliveredCount: earlier.length, folded }, elements);
}

describe('a delivery plan', () => {
  it.each<[string, string[], number, string[], Partial<DeliveryPlan>]>([
    ['what fits', ['a', 'b'], 3, [], { received: 2, fresh: ['a', 'b'], remainingAfter: 1 }],
    ['nothing', [], 3, [], { received: 0, remainingAfter: 3 }],
    ['line breaks', ['a\nb\r\nc'], 3, [], { received: 3, fresh: ['a', 'b', 'c'], remainingAfter: 0 }],
    [
      'one at the end makes no further line',
      ['a\n', 'b\r\n'],
      3,
      [],
      { received: 2, fresh: ['a', 'b'], remainingAfter: 1 },
    ],
    ['two at the end make one', ['a\n\n'], 3, [], { received: 2, fresh: ['a'], blank: 1, remainingAfter: 2 }],
    ['blanks', ['', ' ', '\t\n'], 3, [], { received: 3, blank: 3, remainingAfter: 3 }],
    ['space around', ['  a b  '], 3, [], { received: 1, fresh: ['a b'], remainingAfter: 2 }],
    ['a lone CR is part of a line', ['a\rb'], 3, [], { received: 1, fresh: ['a\rb'], remainingAfter: 2 }],
    [
      'repeats, whatever their letter case',
      ['A', 'a', 'b'],
      3,
      [],
      { received: 3, fresh: ['A', 'b'], duplicate: ['a'], remainingAfter: 1 },
    ],
    [
      'repeats of what is there',
      ['A', 'b'],
      3,
      ['a'],
      { received: 2, fresh: ['b'], duplicate: ['A'], remainingAfter: 1 },
    ],
    [
      'too many',
      ['a', 'b', 'c'],
      2,
      [],
      { received: 3, fresh: ['a', 'b'], overflow: ['c'], remainingAfter: 0 },
    ],
    [
      'a repeat takes no place',
      ['a', 'A', 'b', 'c'],
      2,
      [],
      { received: 4, fresh: ['a', 'b'], duplicate: ['A'], overflow: ['c'], remainingAfter: 0 },
    ],
    [
      'a repeat of one too many is a repeat',
      ['a', 'b', 'B'],
      1,
      [],
      { received: 3, fresh: ['a'], overflow: ['b'], duplicate: ['B'], remainingAfter: 0 },
    ],
    [
      'a full order',
      ['b', 'a'],
      1,
      ['a'],
      { received: 2, overflow: ['b'], duplicate: ['a'], remainingAfter: 0 },
    ],
  ])('%s', (_, elements, quantity, earlier, expected) => {
    const nothing = { fresh: [], blank: 0, duplicate: [], overflow: [] };
    expect(plan(elements, quantity, earlier)).toEqual({ ...nothing, ...expected });
  });

  it('has no room where more was delivered than ordered', () => {
    const delivered = { quantity: 2, deliveredCount: 5, folded: new Set<string>() };
    expect(planDelivery(delivered, ['a'])).toMatchObject({ fresh: [], overflow: ['a'], remainingAfter: 0 });
  });

  it('counts what the API says was delivered, although its lines are not known', () => {
    const delivered = { quantity: 3, deliveredCount: 2, folded: new Set<string>() };
    expect(planDelivery(delivered, ['a', 'b'])).toMatchObject({ fresh: ['a'], overflow: ['b'] });
  });
});

describe('beside the API’s own rules', () => {
  const element = fc.string({
    unit: fc.constantFrom(
      'a',
      'A',
      'b',
      'É',
      'é',
      'Σ',
      'ς',
      'ß',
      'İ',
      ' ',
      '\t',
      '\u00a0',
      '\n',
      '\r\n',
      '\r',
      ':',
    ),
    maxLength: 8,
  });
  const rounds = fc.array(fc.array(element, { maxLength: 6 }), { minLength: 1, maxLength: 4 });

  it('it plans what is then stored, round by round', () => {
    fc.assert(
      fc.property(rounds, fc.nat({ max: 8 }), (batches, quantity) => {
        const stored: string[] = [];
        const known: string[] = [];
        for (const batch of batches) {
          const planned = plan(batch, quantity, known);
          const folded = new Set(stored.map(foldLineUpstream));
          const fresh = freshLines(splitLines(batch), folded, quantity - stored.length);
          expect(planned.fresh).toEqual(fresh);
          stored.push(...fresh);
          known.push(...planned.fresh);
          expect(planned.remainingAfter).toBe(quantity - stored.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the same is stored when only the planned lines are sent, once or several times', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 8 }), fc.nat({ max: 6 }), (batch, quantity) => {
        const { fresh } = plan(batch, quantity);
        const first = freshLines(splitLines(fresh), new Set(), quantity);
        expect(first).toEqual(fresh);
        const again = freshLines(
          splitLines(fresh),
          new Set(first.map(foldLineUpstream)),
          quantity - first.length,
        );
        expect(again).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('every line received is told of once', () => {
    fc.assert(
      fc.property(fc.array(element), fc.nat({ max: 6 }), fc.array(element), (batch, quantity, earlier) => {
        const { received, fresh, blank, duplicate, overflow } = plan(batch, quantity, splitLines(earlier));
        expect(fresh.length + blank + duplicate.length + overflow.length).toBe(received);
        expect(received - blank).toBe(splitLines(batch).length);
      }),
      { numRuns: 300 },
    );
  });
});
