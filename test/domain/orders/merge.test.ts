import { describe, expect, it } from 'vitest';
import { rupiah } from '../../../src/domain/money.ts';
import { type Merged, mergeSnapshot, type Reading } from '../../../src/domain/orders/merge.ts';
import {
  type Capabilities,
  nothingAllowed,
  type Order,
  type OrderSnapshot,
  type OrderStatus,
} from '../../../src/domain/orders/order.ts';
import {
  alice,
  anOrder,
  aSnapshot,
  attemptId,
  bob,
  catalogProductId,
  evidence,
  moment,
  operatorId,
  orderId,
  productId,
} from '../../support/values.ts';

const polled = (milliseconds = 1_000): Reading => ({
  source: 'POLL',
  readAt: moment(milliseconds),
  adoption: null,
});
const told = (milliseconds = 1_000): Reading => ({ ...polled(milliseconds), source: 'WEBHOOK' });
const canFinish: Partial<Capabilities> = { canFinish: true };

/** After its second message, as read a minute after the start. */
const received = anOrder({
  status: 'OTP_RECEIVED',
  smsRevision: 2,
  otpMessage: 'message 2',
  otpReceivedAt: moment(30_000),
  asOf: moment(60_000),
  version: 3,
});

function merge(current: Order | null, snapshot: Partial<OrderSnapshot>, reading = polled()): Merged {
  return mergeSnapshot(current, aSnapshot(snapshot), reading);
}

describe('evidence', () => {
  it('that is new raises the revision and is handed on', () => {
    const merged = merge(received, { evidence: evidence(3), status: 'OTP_RECEIVED' }, polled(90_000));
    expect(merged).toMatchObject({
      news: evidence(3),
      conflict: false,
      order: { smsRevision: 3, otpMessage: 'message 3', otpReceivedAt: moment(30_000) },
    });
  });

  it.each([
    ['older', evidence(1)],
    ['equal', evidence(2, 'message 2')],
    ['none', null],
  ])('that is %s changes nothing', (_, old) => {
    const merged = merge(received, { evidence: old, status: 'OTP_RECEIVED' }, polled(90_000));
    expect(merged).toEqual({
      order: { ...received, asOf: moment(90_000) },
      news: null,
      changed: false,
      ended: false,
      conflict: false,
    });
  });

  it('of the accepted revision with another text is a conflict: the first is kept', () => {
    const merged = merge(received, { evidence: evidence(2, 'another'), status: 'OTP_RECEIVED' });
    expect(merged).toMatchObject({ news: null, conflict: true, order: { otpMessage: 'message 2' } });
  });

  it('of an older revision with another text is none', () => {
    expect(merge(received, { evidence: evidence(1, 'another') }).conflict).toBe(false);
  });

  it('is no conflict with a text that was erased', () => {
    const erased = anOrder({ ...received, otpMessage: null });
    expect(merge(erased, { evidence: evidence(2, 'message 2') }).conflict).toBe(false);
  });

  it('of revision 0 is news to an order that has had none', () => {
    expect(merge(anOrder(), { evidence: evidence(0) }).order.smsRevision).toBe(0);
  });

  it('needs neither a code nor OTP_RECEIVED', () => {
    const merged = merge(anOrder(), { evidence: evidence(1), status: 'ACTIVE' });
    expect(merged).toMatchObject({ news: { otpCode: null }, order: { status: 'ACTIVE', smsRevision: 1 } });
  });

  it('brings its own code, and takes an earlier one away with it', () => {
    const coded = anOrder({ ...received, otpCode: '123' });
    expect(merge(coded, { evidence: { ...evidence(3), otpCode: '456' } }).order.otpCode).toBe('456');
    expect(merge(coded, { evidence: evidence(3) }).order.otpCode).toBeNull();
    expect(merge(coded, { evidence: evidence(1) }).order.otpCode).toBe('123');
  });

  it.each<OrderStatus>(['COMPLETED', 'CANCELED', 'EXPIRED'])(
    'that comes late, after %s, is still a message, and leads to no other status',
    (status) => {
      const ended = anOrder({ ...received, status });
      const late = { evidence: evidence(3), status: 'OTP_RECEIVED', capabilities: canFinish } as const;
      const merged = merge(ended, late, told(90_000));
      expect(merged).toMatchObject({ news: evidence(3), changed: false, ended: false });
      expect(merged.order).toMatchObject({ status, smsRevision: 3, capabilities: nothingAllowed });
    },
  );
});

describe('the status', () => {
  it.each<[OrderStatus, OrderStatus, OrderStatus]>([
    ['ACTIVE', 'OTP_RECEIVED', 'OTP_RECEIVED'],
    ['OTP_RECEIVED', 'ACTIVE', 'ACTIVE'],
    ['ACTIVE', 'CANCELED', 'CANCELED'],
    ['ACTIVE', 'EXPIRED', 'EXPIRED'],
    ['OTP_RECEIVED', 'COMPLETED', 'COMPLETED'],
    ['COMPLETED', 'OTP_RECEIVED', 'COMPLETED'],
    ['CANCELED', 'ACTIVE', 'CANCELED'],
    ['EXPIRED', 'ACTIVE', 'EXPIRED'],
    ['EXPIRED', 'COMPLETED', 'COMPLETED'],
  ])('%s, read as %s, is %s', (before, read, status) => {
    const merged = merge(anOrder({ status: before }), { status: read });
    expect(merged.order.status).toBe(status);
    expect(merged.changed).toBe(before !== status);
  });

  it('ends once', () => {
    const ended = merge(anOrder(), { status: 'CANCELED' });
    expect(ended).toMatchObject({ changed: true, ended: true });
    expect(merge(ended.order, { status: 'CANCELED' }, polled(2_000))).toMatchObject({
      changed: false,
      ended: false,
    });
  });

  it('makes a version for each change of status or flags, and for nothing else', () => {
    const first = merge(anOrder(), { status: 'OTP_RECEIVED' }).order;
    const second = merge(first, { status: 'OTP_RECEIVED', capabilities: canFinish }, polled(2_000)).order;
    const third = merge(
      second,
      { status: 'OTP_RECEIVED', phoneNumber: '+1', expiresAt: moment(9) },
      polled(3_000),
    );
    expect([first.version, second.version, third.order.version, third.changed]).toEqual([2, 3, 3, false]);
    expect(third.order).toMatchObject({ phoneNumber: '+1', capabilities: canFinish });
  });

  it('brings the flags that were told, and leaves those that were not', () => {
    const known = anOrder({ capabilities: { ...nothingAllowed, canResend: true, canCancel: true } });
    const merged = merge(known, { capabilities: { canCancel: false, cancelAvailableAt: moment(5) } });
    expect(merged.order.capabilities).toEqual({
      ...nothingAllowed,
      canResend: true,
      cancelAvailableAt: moment(5),
    });
  });
});

describe('a stale read', () => {
  const stale = polled(59_999);

  it('changes neither status nor flags, nor the time of what is shown', () => {
    const merged = merge(
      received,
      { status: 'ACTIVE', capabilities: canFinish, evidence: evidence(1) },
      stale,
    );
    expect(merged).toMatchObject({ order: received, changed: false, news: null });
  });

  it('begun at the very moment of the one shown is none', () => {
    expect(merge(received, { status: 'ACTIVE' }, polled(60_000)).order.status).toBe('ACTIVE');
  });

  it('counts where it brings news', () => {
    const merged = merge(
      received,
      { status: 'ACTIVE', capabilities: canFinish, evidence: evidence(3) },
      stale,
    );
    expect(merged).toMatchObject({ changed: true, news: evidence(3) });
    expect(merged.order).toMatchObject({ status: 'ACTIVE', smsRevision: 3, asOf: received.asOf });
  });

  it('counts where it brings the end', () => {
    expect(merge(received, { status: 'COMPLETED' }, stale)).toMatchObject({ changed: true, ended: true });
  });

  it('brings no other end than the one that is known', () => {
    const ended = anOrder({ ...received, status: 'COMPLETED' });
    const merged = merge(ended, { status: 'EXPIRED', capabilities: canFinish }, stale);
    expect(merged).toMatchObject({ order: ended, changed: false, ended: false });
  });

  it('fills in what was unknown, and overwrites nothing', () => {
    const bare = anOrder({
      phoneNumber: '+1',
      amount: null,
      productId: null,
      expiresAt: null,
      asOf: moment(60_000),
    });
    const full = { phoneNumber: '+2', amount: rupiah(7), productId: productId(5), expiresAt: moment(9) };
    expect(merge(bare, full, stale).order).toMatchObject({ ...full, phoneNumber: '+1' });
  });
});

describe('a webhook', () => {
  const hour = 3_600_000;

  it('brings news with its status and flags', () => {
    const merged = merge(
      anOrder(),
      { status: 'OTP_RECEIVED', capabilities: canFinish, evidence: evidence(1) },
      told(),
    );
    expect(merged.order).toMatchObject({
      status: 'OTP_RECEIVED',
      capabilities: canFinish,
      asOf: moment(1_000),
    });
  });

  it('that comes an hour late with what is known says nothing of the present', () => {
    // After the message a resend was asked for, and the order waits again.
    const waiting = anOrder({ ...received, status: 'ACTIVE' });
    const late = {
      status: 'OTP_RECEIVED',
      capabilities: canFinish,
      evidence: evidence(2, 'message 2'),
    } as const;
    expect(merge(waiting, late, told(hour))).toMatchObject({ order: waiting, changed: false, news: null });
    expect(merge(waiting, { ...late, evidence: evidence(1) }, told(hour)).order).toEqual(waiting);
  });

  it('of an end that is known is late, too', () => {
    const ended = anOrder({ ...received, status: 'COMPLETED' });
    const again = { status: 'COMPLETED', capabilities: { canReactivate: true } } as const;
    expect(merge(ended, again, told(hour))).toMatchObject({ order: ended, changed: false });
  });

  it('ends an order', () => {
    const merged = merge(
      received,
      { status: 'COMPLETED', capabilities: { canReactivate: true } },
      told(hour),
    );
    expect(merged).toMatchObject({ changed: true, ended: true });
    expect(merged.order).toMatchObject({ status: 'COMPLETED', capabilities: { canReactivate: true } });
  });

  it('fills in what was unknown', () => {
    const bare = anOrder({ phoneNumber: null, operatorId: null });
    const merged = merge(bare, { phoneNumber: '+1', operatorId: operatorId(3) }, told(hour));
    expect(merged.order).toMatchObject({ phoneNumber: '+1', operatorId: 3 });
  });

  it('leaves a read that began before it, and did not see its news, stale', () => {
    const { order } = merge(anOrder(), { status: 'OTP_RECEIVED', evidence: evidence(1) }, told(2_000));
    expect(merge(order, { status: 'ACTIVE' }, polled(1_999)).order.status).toBe('OTP_RECEIVED');
    expect(merge(order, { status: 'ACTIVE' }, polled(2_001)).order.status).toBe('ACTIVE');
  });
});

describe('an order that was not known', () => {
  it('begins with what was told', () => {
    const snapshot: OrderSnapshot = {
      id: orderId(7),
      status: 'OTP_RECEIVED',
      phoneNumber: '+1',
      amount: rupiah(5_000),
      productId: productId(70),
      catalogProductId: catalogProductId(88),
      operatorId: operatorId(3),
      operatorName: 'Tele',
      otpReceivedAt: moment(-500),
      expiresAt: moment(9_000),
      failedReason: null,
      canceledAt: null,
      createdAt: moment(-1_000),
      capabilities: canFinish,
      evidence: { revision: 1, message: 'm', otpCode: '1' },
    };
    const { evidence: news, capabilities, ...facts } = snapshot;
    expect(mergeSnapshot(null, snapshot, polled())).toEqual({
      order: {
        ...facts,
        owner: null,
        attemptId: null,
        reactivatedFromId: null,
        otpCode: '1',
        otpMessage: 'm',
        smsRevision: 1,
        capabilities: { ...nothingAllowed, canFinish: true },
        asOf: moment(1_000),
        version: 1,
      },
      news,
      changed: true,
      ended: false,
      conflict: false,
    });
  });

  it('is incomplete where only a webhook has told of it', () => {
    const { order } = merge(null, { status: 'OTP_RECEIVED', evidence: evidence(1) }, told());
    expect(order).toMatchObject({ amount: null, productId: null, smsRevision: 1, createdAt: moment(1_000) });
  });

  it('may have ended before it was known', () => {
    expect(merge(null, { status: 'EXPIRED' })).toMatchObject({ changed: true, ended: true });
  });
});

describe('whom an order belongs to', () => {
  const adoption = { owner: alice, attemptId: attemptId('attempt-1'), reactivatedFromId: orderId(6) };
  const orphan = anOrder({ owner: null, attemptId: null });

  it('is told by the attempt that made it, also when a webhook was first', () => {
    const merged = merge(orphan, {}, { ...polled(-5_000), adoption });
    expect(merged.order).toMatchObject(adoption);
    expect(merge(null, {}, { ...polled(), adoption }).order).toMatchObject(adoption);
  });

  it('never changes', () => {
    const mine = merge(orphan, {}, { ...polled(), adoption }).order;
    const theirs = { owner: bob, attemptId: attemptId('attempt-2'), reactivatedFromId: null };
    expect(merge(mine, {}, { ...polled(2_000), adoption: theirs }).order).toMatchObject(adoption);
    expect(merge(mine, {}, polled(2_000)).order).toMatchObject(adoption);
  });
});

describe('what is known of an order', () => {
  it('is erased by no null', () => {
    const full = anOrder({
      operatorId: operatorId(3),
      operatorName: 'Tele',
      failedReason: 'NoNumbers',
      canceledAt: moment(5),
      otpReceivedAt: moment(6),
    });
    const nulls = {
      phoneNumber: null,
      catalogProductId: null,
      operatorId: null,
      operatorName: null,
      otpReceivedAt: null,
      expiresAt: null,
      failedReason: null,
      canceledAt: null,
      createdAt: null,
    };
    expect(merge(full, nulls).order).toEqual({ ...full, asOf: moment(1_000) });
  });

  it('tells when it was canceled: as the provider says, or when it was first known', () => {
    const byReceipt = merge(anOrder(), { status: 'CANCELED' }, polled(5_000)).order;
    expect(byReceipt.canceledAt).toBe(moment(5_000));
    expect(merge(byReceipt, { status: 'CANCELED' }, polled(9_000)).order.canceledAt).toBe(moment(5_000));
    const read = { status: 'CANCELED', canceledAt: moment(4_200) } as const;
    expect(merge(byReceipt, read, polled(9_000)).order.canceledAt).toBe(moment(4_200));
    expect(merge(anOrder(), { status: 'EXPIRED' }, polled(5_000)).order.canceledAt).toBeNull();
  });

  it('keeps the time of its first message: a read tells it exactly, a webhook only its own', () => {
    const first = {
      ...aSnapshot({ status: 'OTP_RECEIVED', otpReceivedAt: moment(400), evidence: evidence(1) }),
    };
    const byWebhook = merge(anOrder(), first, told()).order;
    expect(byWebhook.otpReceivedAt).toBe(moment(400));
    const later = merge(
      byWebhook,
      { ...first, otpReceivedAt: moment(800), evidence: evidence(2) },
      told(2_000),
    ).order;
    expect(later.otpReceivedAt).toBe(moment(400));
    expect(merge(later, { otpReceivedAt: moment(300) }, polled(3_000)).order.otpReceivedAt).toBe(moment(300));
  });

  it('takes the receipt’s time for a first message that came without one', () => {
    expect(merge(anOrder(), { evidence: evidence(1) }, told()).order.otpReceivedAt).toBe(moment(1_000));
  });
});
