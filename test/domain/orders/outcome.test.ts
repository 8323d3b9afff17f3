import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/domain/orders/attempt.ts';
import { hasUsableNumber, isTerminal, type Order, orderStatuses } from '../../../src/domain/orders/order.ts';
import { outcomeOf } from '../../../src/domain/orders/outcome.ts';
import { anAttempt, anOrder, moment, orderId } from '../../support/values.ts';

const settledStates = { leaseUntil: null, nextAttemptAt: null };

describe('the present outcome of an attempt', () => {
  it.each<[string, Partial<Attempt>, object]>([
    ['prepared', { state: 'PREPARED' }, { kind: 'CreateOrderInFlight' }],
    ['being sent', { state: 'SENDING' }, { kind: 'CreateOrderInFlight' }],
    [
      'not known yet',
      { state: 'NEEDS_RECONCILIATION', reason: 'HTTP_5XX', nextAttemptAt: moment(2_000) },
      { kind: 'CreateOrderNeedsReconciliation', reason: 'HTTP_5XX', nextAttemptAt: moment(2_000) },
    ],
    [
      'rejected',
      { state: 'DEFINITIVE_REJECTION', rejection: { code: 'NOT_FOUND', httpStatus: 404 } },
      { kind: 'CreateOrderRejected', code: 'NOT_FOUND', httpStatus: 404 },
    ],
    ['without money', { state: 'INSUFFICIENT_BALANCE' }, { kind: 'CreateOrderInsufficientBalance' }],
    ['held for a person', { state: 'OPERATOR_REVIEW' }, { kind: 'CreateOrderOperatorReview' }],
  ])('%s', (_, change, outcome) => {
    const attempt = anAttempt({ ...settledStates, ...change });
    expect(outcomeOf(attempt, [])).toEqual({ attempt, ...outcome });
  });

  const second = { id: orderId(8) };
  it.each<[string, readonly Partial<Order>[], string]>([
    ['with its numbers', [{}, second], 'CreateOrderResolved'],
    ['with none made', [], 'CreateOrderResolved'],
    ['one number missing', [{}, { ...second, phoneNumber: null }], 'CreateOrderPendingAssignment'],
    ['a number that is blank', [{ phoneNumber: ' \t' }], 'CreateOrderPendingAssignment'],
    ['expired before it had one', [{ phoneNumber: null, status: 'EXPIRED' }], 'CreateOrderResolved'],
    ['canceled before it had one', [{ phoneNumber: null, status: 'CANCELED' }], 'CreateOrderResolved'],
    [
      'a message but no number told yet',
      [{ phoneNumber: null, status: 'OTP_RECEIVED' }],
      'CreateOrderPendingAssignment',
    ],
  ])('resolved, %s', (_, changes, kind) => {
    const attempt = anAttempt({ state: 'RESOLVED', quantity: 3, failedCount: 3 - changes.length });
    const orders = changes.map((change) => anOrder(change));
    expect(outcomeOf(attempt, orders)).toEqual({ kind, attempt, orders, failedCount: 3 - changes.length });
  });

  it.each([
    [2, 1],
    [0, 3],
  ])('closed by a person, with %d orders found, counts %d as failed', (found, failedCount) => {
    const attempt = anAttempt({ state: 'CLOSED', quantity: 3 });
    const orders = Array.from({ length: found }, (_, n) => anOrder({ id: orderId(n), phoneNumber: null }));
    expect(outcomeOf(attempt, orders)).toEqual({ kind: 'CreateOrderResolved', attempt, orders, failedCount });
  });
});

describe('an order', () => {
  it.each([
    [null, false],
    [undefined, false],
    ['', false],
    ['  \n', false],
    ['+62811', true],
    [' 7', true],
  ])('with the number %j has a usable one: %s', (phoneNumber, usable) => {
    expect(hasUsableNumber(phoneNumber === undefined ? {} : { phoneNumber })).toBe(usable);
  });

  it('ends in three of its five statuses', () => {
    expect(orderStatuses.filter(isTerminal)).toEqual(['COMPLETED', 'CANCELED', 'EXPIRED']);
  });
});
