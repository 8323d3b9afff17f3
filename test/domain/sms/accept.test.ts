import { describe, expect, it } from 'vitest';
import { isNews, NO_REVISION, parseEvidence } from '../../../src/domain/sms/accept.ts';
import { snapshotOf, type WebhookFacts } from '../../../src/domain/sms/event.ts';
import { evidence, moment, orderId } from '../../support/values.ts';

describe('evidence of a message', () => {
  it.each([
    [
      'with a code',
      1,
      'Your code is 123',
      '123',
      { revision: 1, message: 'Your code is 123', otpCode: '123' },
    ],
    ['without a code', 1, 'hello', null, { revision: 1, message: 'hello', otpCode: null }],
    ['a code not told', 0, 'hello', undefined, { revision: 0, message: 'hello', otpCode: null }],
    ['a code that is no text', 1, 'hello', 123, { revision: 1, message: 'hello', otpCode: null }],
    ['the message kept as it is', 5, ' a\n\u200b ', '', { revision: 5, message: ' a\n\u200b ', otpCode: '' }],
    ['the largest', 2 ** 31 - 1, 'm', null, { revision: 2 ** 31 - 1, message: 'm', otpCode: null }],
  ])('%s', (_, revision, message, code, expected) => {
    expect(parseEvidence(revision, message, code)).toEqual(expected);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['text', '1'],
    ['a fraction', 1.5],
    ['null', null],
    ['nothing', undefined],
    ['NaN', Number.NaN],
    ['past 32 bits', 2 ** 31],
    ['infinite', Number.POSITIVE_INFINITY],
    ['a list', [1]],
  ])('is none where the revision is %s', (_, revision) => {
    expect(parseEvidence(revision, 'message', null)).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['blank', ' \t\n\u00a0'],
    ['null', null],
    ['nothing', undefined],
    ['a number', 7],
    ['a list', ['m']],
  ])('is none where the message is %s', (_, message) => {
    expect(parseEvidence(1, message, '123')).toBeNull();
  });
});

describe('news', () => {
  it.each([
    [NO_REVISION, 0, true],
    [NO_REVISION, -1, false],
    [NO_REVISION, -5, false],
    [1, 2, true],
    [1, 7, true],
    [2, 2, false],
    [2, 1, false],
  ])('after %d, revision %d: %s', (accepted, revision, expected) => {
    expect(isNews(accepted, evidence(revision))).toBe(expected);
  });

  it('is never no evidence', () => {
    expect(isNews(NO_REVISION, null)).toBe(false);
  });
});

describe('an event as a snapshot', () => {
  const facts: WebhookFacts = { phoneNumber: '+1', capabilities: { canFinish: true }, emittedAt: moment(5) };

  it('of a message', () => {
    const event = { kind: 'sms', orderId: orderId(7), evidence: evidence(1), facts } as const;
    expect(snapshotOf(event)).toEqual({
      id: 7,
      status: 'OTP_RECEIVED',
      phoneNumber: '+1',
      capabilities: { canFinish: true },
      evidence: evidence(1),
      otpReceivedAt: moment(5),
    });
    const untimed = { ...event, facts: { ...facts, emittedAt: null } };
    expect(snapshotOf(untimed)).not.toHaveProperty('otpReceivedAt');
  });

  it('of an end, which is no evidence of a message', () => {
    const event = { kind: 'ended', orderId: orderId(7), status: 'EXPIRED', facts } as const;
    expect(snapshotOf(event)).toEqual({
      id: 7,
      status: 'EXPIRED',
      phoneNumber: '+1',
      capabilities: { canFinish: true },
      evidence: null,
    });
  });
});
