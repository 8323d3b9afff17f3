import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitSend } from '../../../src/domain/orders/admit-send.ts';
import {
  type Attempt,
  attemptStates,
  isFinal,
  MOST_SENDS,
  replayDeadline,
  SEND_LEASE,
  SEND_TIMEOUT,
} from '../../../src/domain/orders/attempt.ts';
import { HOUR, later } from '../../../src/domain/time.ts';
import { anAttempt, moment, start } from '../../support/values.ts';

const now = moment(60_000);
const past = later(now, -1);
const ahead = later(now, 1);

describe('may it be sent?', () => {
  it.each<[string, Partial<Attempt>, object]>([
    ['prepared', { state: 'PREPARED', sends: 0 }, { kind: 'send', senderLost: false }],
    ['due', { state: 'NEEDS_RECONCILIATION', nextAttemptAt: past }, { kind: 'send', senderLost: false }],
    [
      'due this moment',
      { state: 'NEEDS_RECONCILIATION', nextAttemptAt: now },
      { kind: 'send', senderLost: false },
    ],
    ['not due', { state: 'NEEDS_RECONCILIATION', nextAttemptAt: ahead }, { kind: 'not-due' }],
    ['under way', { leaseUntil: ahead }, { kind: 'held' }],
    ['sender lost', { leaseUntil: past }, { kind: 'send', senderLost: true }],
    ['sender lost this moment', { leaseUntil: now }, { kind: 'send', senderLost: true }],
    ['sender lost, no lease kept', { leaseUntil: null }, { kind: 'send', senderLost: true }],
    ['at the deadline', { state: 'PREPARED', replayDeadlineAt: now }, { kind: 'review', senderLost: false }],
    [
      'past the deadline',
      { state: 'PREPARED', replayDeadlineAt: past },
      { kind: 'review', senderLost: false },
    ],
    [
      'before the deadline',
      { state: 'PREPARED', replayDeadlineAt: ahead },
      { kind: 'send', senderLost: false },
    ],
    [
      'past the deadline, waiting for its time',
      { state: 'NEEDS_RECONCILIATION', nextAttemptAt: ahead, replayDeadlineAt: past },
      { kind: 'review', senderLost: false },
    ],
    ['past the deadline, still under way', { leaseUntil: ahead, replayDeadlineAt: past }, { kind: 'held' }],
    [
      'past the deadline, sender lost',
      { leaseUntil: past, replayDeadlineAt: past },
      { kind: 'review', senderLost: true },
    ],
    [
      '31 sends',
      { state: 'NEEDS_RECONCILIATION', sends: 31, nextAttemptAt: past },
      { kind: 'send', senderLost: false },
    ],
    [
      '32 sends',
      { state: 'NEEDS_RECONCILIATION', sends: 32, nextAttemptAt: past },
      { kind: 'review', senderLost: false },
    ],
    [
      '32 sends, not due',
      { state: 'NEEDS_RECONCILIATION', sends: 32, nextAttemptAt: ahead },
      { kind: 'review', senderLost: false },
    ],
    ['32 sends, the last under way', { sends: 32, leaseUntil: ahead }, { kind: 'held' }],
    ['32 sends, the last sender lost', { sends: 32, leaseUntil: past }, { kind: 'review', senderLost: true }],
  ])('%s', (_, change, decision) => {
    expect(admitSend(anAttempt(change), now)).toEqual(decision);
  });

  it.each(attemptStates.filter(isFinal))('%s is final, whatever else', (state) => {
    for (const change of [{}, { leaseUntil: ahead }, { replayDeadlineAt: past }, { sends: 32 }]) {
      expect(admitSend(anAttempt({ state, ...change }), now)).toEqual({ kind: 'final' });
    }
  });

  it('never sends past the deadline, over 32 sends, under another’s lease, or before its time', () => {
    const time = fc.option(fc.integer({ min: -3, max: 3 }).map((step) => later(now, step)));
    fc.assert(
      fc.property(
        fc.record({
          state: fc.constantFrom(...attemptStates),
          sends: fc.integer({ min: 0, max: 40 }),
          leaseUntil: time,
          nextAttemptAt: time,
          replayDeadlineAt: time.map((at) => at ?? start),
        }),
        (change) => {
          const decision = admitSend(anAttempt(change), now);
          if (decision.kind !== 'send') return;
          expect(isFinal(change.state)).toBe(false);
          expect(change.sends).toBeLessThan(MOST_SENDS);
          expect(change.replayDeadlineAt).toBeGreaterThan(now);
          expect(change.leaseUntil ?? now).toBeLessThanOrEqual(now);
          expect(change.nextAttemptAt ?? now).toBeLessThanOrEqual(now);
          expect(decision.senderLost).toBe(change.state === 'SENDING');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('holds a lease for longer than a send can take', () => {
    expect(SEND_LEASE).toBeGreaterThan(SEND_TIMEOUT);
  });
});

describe('the replay deadline', () => {
  it.each([
    ['a threshold before the hour', 30 * 60_000, 30 * 60_000],
    ['the hour itself', HOUR, HOUR],
    ['a threshold after the hour', 9 * HOUR, HOUR],
    ['a threshold in the past', -1, -1],
  ])('%s', (_, threshold, deadline) => {
    expect(replayDeadline(moment(threshold), start)).toBe(moment(deadline));
  });
});
