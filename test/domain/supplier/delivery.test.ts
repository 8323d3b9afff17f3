import { describe, expect, it } from 'vitest';
import {
  admitDelivery,
  DELIVERY_LEASE,
  DELIVERY_TIMEOUT,
  type DeliveryReply,
  deliveryRejectionCodes,
  settleDelivery,
} from '../../../src/domain/supplier/delivery.ts';
import { HOUR, later, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { moment } from '../../support/values.ts';

const now = moment(10 * MINUTE);
const delivery = { deadlineAt: moment(HOUR) };
const refused = (code: (typeof deliveryRejectionCodes)[number]): DeliveryReply => ({
  kind: 'refused',
  code,
  message: 'because',
});
const wait = (retryAfterMs: number): DeliveryReply => ({ kind: 'wait', code: 'RATE_LIMIT', retryAfterMs });
const unclear: DeliveryReply = { kind: 'unclear', why: 'timeout' };

describe('what a send came to', () => {
  it('accepted', () => {
    expect(settleDelivery(delivery, null, { kind: 'accepted' }, now)).toEqual({ kind: 'accepted' });
  });

  it.each(deliveryRejectionCodes)('%s is final', (code) => {
    const rejected = { kind: 'rejected', code, message: 'because' };
    expect(settleDelivery(delivery, null, refused(code), now)).toEqual(rejected);
    expect(settleDelivery(delivery, moment(0), refused(code), now)).toEqual(rejected);
  });

  it.each([
    ['just made', 0, true],
    ['9.999 s old', 9_999, true],
    ['10 s old', 10_000, false],
    ['made ahead of our clock', -5_000, true],
  ])('an order that is not found and %s is looked for again: %s', (_, age, again) => {
    const createdAt = later(now, -age);
    expect(settleDelivery(delivery, createdAt, refused('ORDER_NOT_FOUND'), now)).toEqual(
      again
        ? { kind: 'again', nextAttemptAt: later(now, SECOND), lastError: 'ORDER_NOT_FOUND' }
        : { kind: 'rejected', code: 'ORDER_NOT_FOUND', message: 'because' },
    );
  });

  it.each(deliveryRejectionCodes.filter((code) => code !== 'ORDER_NOT_FOUND'))(
    '%s of a young order is final all the same',
    (code) => {
      expect(settleDelivery(delivery, now, refused(code), now).kind).toBe('rejected');
    },
  );

  it.each([
    ['told', 137, 137],
    ['told, seconds', 5_000, 5_000],
    ['nothing', 0, 1],
    ['a negative', -50, 1],
    ['five minutes', 5 * MINUTE, 5 * MINUTE],
    ['longer', 5 * MINUTE + 1, 5 * MINUTE],
    ['a silly one', 1e15, 5 * MINUTE],
  ])('a wait that is %s', (_, told, waited) => {
    expect(settleDelivery(delivery, null, wait(told), now)).toEqual({
      kind: 'again',
      nextAttemptAt: later(now, waited),
      lastError: 'RATE_LIMIT',
    });
  });

  it('unclear: the same request again in ten seconds', () => {
    expect(settleDelivery(delivery, null, unclear, now)).toEqual({
      kind: 'again',
      nextAttemptAt: later(now, 10 * SECOND),
      lastError: 'timeout',
    });
  });

  it.each([wait(MINUTE), unclear])('is not sent again past its deadline: %j', (reply) => {
    const deadlineAt = later(now, 500);
    expect(settleDelivery({ deadlineAt }, null, reply, now)).toMatchObject({ nextAttemptAt: deadlineAt });
  });
});

describe('may a delivery be sent?', () => {
  const pending = {
    state: 'PENDING',
    deadlineAt: moment(HOUR),
    nextAttemptAt: null,
    leaseUntil: null,
  } as const;
  const past = later(now, -1);
  const ahead = later(now, 1);

  it.each([
    ['fresh', {}, 'send'],
    ['due', { nextAttemptAt: now }, 'send'],
    ['not due', { nextAttemptAt: ahead }, 'not-due'],
    ['under way', { leaseUntil: ahead }, 'held'],
    ['its sender lost', { leaseUntil: now }, 'send'],
    ['at its deadline', { deadlineAt: now }, 'expire'],
    ['past it, not due', { deadlineAt: past, nextAttemptAt: ahead }, 'expire'],
    ['past it, under way', { deadlineAt: past, leaseUntil: ahead }, 'held'],
    ['accepted', { state: 'ACCEPTED' }, 'settled'],
    ['rejected', { state: 'REJECTED', deadlineAt: past }, 'settled'],
    ['expired', { state: 'EXPIRED', deadlineAt: past }, 'settled'],
  ] as const)('%s', (_, change, decision) => {
    expect(admitDelivery({ ...pending, ...change }, now)).toBe(decision);
  });

  it('holds a lease for longer than a send can take', () => {
    expect(DELIVERY_LEASE).toBeGreaterThan(DELIVERY_TIMEOUT);
  });
});
