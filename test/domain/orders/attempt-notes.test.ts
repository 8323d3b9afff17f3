import { expect, it } from 'vitest';
import { bn } from '../../../console/src/texts/bn.ts';
import { en } from '../../../console/src/texts/en.ts';
import { hi } from '../../../console/src/texts/hi.ts';
import { attemptNotes } from '../../../src/domain/orders/attempt.ts';

it.each(Object.entries({ en, hi, bn }))(
  'the console has words in %s for each note of the gateway’s',
  (_, texts) => {
    expect(Object.keys(texts.operations.notes).toSorted()).toEqual(Object.values(attemptNotes).toSorted());
  },
);
