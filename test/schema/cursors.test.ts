import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors } from '../../src/resolvers/cursors.ts';
import type { CursorScope } from '../../src/schema/context.ts';
import { alice, bob } from '../support/values.ts';

const scope: CursorScope = {
  list: 'orders',
  visibility: { kind: 'own', caller: alice },
  question: { statuses: ['ACTIVE'] },
};
const cursors = createCursors('secret');
const cursor = cursors.seal(scope, [1_788_331_200_000, 7]);

describe('a cursor', () => {
  it('opens under the scope that it was sealed for, on every instance that has the secret', () => {
    expect(createCursors('secret').open(scope, cursor)).toEqual([1_788_331_200_000, 7]);
  });

  it('carries any position', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger())), (position) => {
        expect(cursors.open(scope, cursors.seal(scope, position))).toEqual(position);
      }),
    );
  });

  it.each<[string, CursorScope]>([
    ['another list', { ...scope, list: 'attempts' }],
    ['another caller', { ...scope, visibility: { kind: 'own', caller: bob } }],
    ['an operator', { ...scope, visibility: { kind: 'all' } }],
    ['another filter', { ...scope, question: { statuses: ['CANCELED'] } }],
    ['no filter', { ...scope, question: null }],
  ])('does not open for %s', (_title, other) => {
    expect(cursors.open(other, cursor)).toBeNull();
  });

  it('does not open under another secret', () => {
    expect(createCursors('other').open(scope, cursor)).toBeNull();
  });

  it('does not open once any character of it was changed, added or taken away', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let place = 0; place < cursor.length; place++) {
      for (const letter of [...letters, '=', ' ', '\n', '.']) {
        if (letter !== cursor[place]) {
          expect(cursors.open(scope, cursor.slice(0, place) + letter + cursor.slice(place + 1))).toBeNull();
        }
        expect(cursors.open(scope, cursor.slice(0, place) + letter + cursor.slice(place))).toBeNull();
      }
      expect(cursors.open(scope, cursor.slice(0, place))).toBeNull();
    }
    expect(cursors.open(scope, `${cursor}=`)).toBeNull();
  });

  it('does not open from text that never was one, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        expect(cursors.open(scope, text)).toBeNull();
      }),
    );
  });
});
