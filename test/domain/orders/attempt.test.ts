import { expect, it } from 'vitest';
import { attemptStates, isFinal, openStates } from '../../../src/domain/orders/attempt.ts';

it('moves on by itself until its outcome is known, a person has it, or it was closed', () => {
  expect(openStates).toEqual(['PREPARED', 'SENDING', 'NEEDS_RECONCILIATION']);
  expect(attemptStates.filter(isFinal).toSorted()).toEqual([
    'CLOSED',
    'DEFINITIVE_REJECTION',
    'INSUFFICIENT_BALANCE',
    'OPERATOR_REVIEW',
    'RESOLVED',
  ]);
});
