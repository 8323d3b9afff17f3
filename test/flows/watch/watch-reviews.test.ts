import { describe, expect, it } from 'vitest';
import { closeAttempt } from '../../../src/flows/orders/close-attempt.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { reviewWatch } from '../../../src/workers/review-watch.ts';
import { alice, byAlice, job, moment } from '../../support/values.ts';
import { attemptOf, type CreatingGateway, openCreating, outcomeIn, sendsOf } from '../support/creating.ts';

const LEASE = 60_000;

/** Subjects of the alerts that are to be told now, each taken once. */
async function alertsOf({ store }: CreatingGateway): Promise<readonly string[]> {
  const untold = await store.alerts.takeUntold(500, LEASE);
  return untold.map(({ kind, subject }) => `${kind} ${subject}`);
}

const inThePast = { reviewThresholdAt: moment(-1) };

/** A store that keeps attempts and no alerts. */
const forgetful = {
  spoil: (store: CreatingGateway['store']): CreatingGateway['store'] => ({
    ...store,
    alerts: { ...store.alerts, raise: () => Promise.reject(new Error('the disk is full')) },
  }),
};

describe('an attempt that comes to wait for a person', () => {
  it('is told of and counted at once when it is stored as such, past its threshold', async () => {
    const gateway = await openCreating();
    expect(outcomeIn(await gateway.create(inThePast)).kind).toBe('CreateOrderOperatorReview');
    const { id } = await attemptOf(gateway);
    expect(await alertsOf(gateway)).toEqual([`ATTEMPT_IN_REVIEW ${id}`]);
    expect(gateway.counts.get('attemptReached OPERATOR_REVIEW')).toBe(1);
    expect(gateway.counts.get('alert ATTEMPT_IN_REVIEW')).toBe(1);
    expect(sendsOf(gateway)).toBe(0);
  });

  it('is told of once, however often its job is asked for', async () => {
    const gateway = await openCreating();
    for (let n = 0; n < 3; n++) await gateway.create(inThePast);
    expect(gateway.counts.get('attemptReached OPERATOR_REVIEW')).toBe(1);
    expect(await alertsOf(gateway)).toHaveLength(1);
  });

  it('is answered though it cannot be told of, and is told of when it can be', async () => {
    const dying = await openCreating({}, forgetful);
    expect(outcomeIn(await dying.create(inThePast)).kind).toBe('CreateOrderOperatorReview');
    const { clock, database } = dying;
    const gateway = await openCreating({}, { clock, database, seed: 2 });
    const worker = runWorker(gateway.deps, reviewWatch(gateway.deps));
    await clock.pass(1);
    expect(await alertsOf(gateway)).toEqual([`ATTEMPT_IN_REVIEW ${(await attemptOf(gateway)).id}`]);
    await worker.stop();
  });
});

describe('the watch over reviews', () => {
  it('tells of all that nobody was told of, more than a page, and of each once', async () => {
    const dying = await openCreating({}, forgetful);
    for (let n = 0; n < 101; n++) await dying.create({ ...inThePast, businessJobId: job(`job-${n}`) });
    const { clock, database } = dying;
    const gateway = await openCreating({}, { clock, database, seed: 2 });
    const worker = runWorker(gateway.deps, reviewWatch(gateway.deps));
    await clock.pass(200_000);
    expect(new Set(await alertsOf(gateway)).size).toBe(101);
    expect(gateway.counts.get('alert ATTEMPT_IN_REVIEW')).toBe(101);
    await worker.stop();
  });

  it('leaves no alert of what was closed while it looked', async () => {
    const dying = await openCreating({}, forgetful);
    await dying.create(inThePast);
    const { clock, database } = dying;
    const gateway = await openCreating(
      {},
      {
        clock,
        database,
        seed: 2,
        spoil: (store) => ({
          ...store,
          alerts: {
            ...store.alerts,
            async raise(alert) {
              const finding = { caller: alice, businessJobId: job('job-1'), orderIds: [], note: 'nothing' };
              await closeAttempt(gateway.deps, finding, byAlice);
              return store.alerts.raise(alert);
            },
          },
        }),
      },
    );
    const worker = runWorker(gateway.deps, reviewWatch(gateway.deps));
    await clock.pass(1);
    await worker.stop();
    const { id, state } = await attemptOf(gateway);
    expect(state).toBe('CLOSED');
    expect(await gateway.store.alerts.clear('ATTEMPT_IN_REVIEW', id)).toBe(false);
  });
});
