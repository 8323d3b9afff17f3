import { describe, expect, it } from 'vitest';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import { createOrder } from '../../../src/flows/orders/create-order.ts';
import { replayAttempt } from '../../../src/flows/orders/send-attempt.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { runWorker } from '../../../src/workers/loop.ts';
import { reconciler } from '../../../src/workers/reconciler.ts';
import { made, openScripted } from '../../support/gateway.ts';
import { alice, byAlice, job, moment, orderId } from '../../support/values.ts';
import {
  asked,
  attemptOf,
  type CreatingGateway,
  oneMade,
  openCreating,
  outcomeIn,
  provider,
  sendsOf,
} from '../support/creating.ts';

const lost: PaidReply = { kind: 'transport' };

/** Answers the sends with these, the last for ever, and notes when each left. */
function sending(gateway: () => CreatingGateway, ...replies: readonly PaidReply[]) {
  const at: number[] = [];
  const sent: string[] = [];
  const sendPaid: NumbersApi['sendPaid'] = async ({ endpoint, body, idempotencyKey }) => {
    at.push(gateway().clock.now() - moment(0));
    sent.push(`${endpoint} ${idempotencyKey} ${body}`);
    return replies[Math.min(at.length, replies.length) - 1] ?? lost;
  };
  return { at, sent, sendPaid };
}

async function open(...replies: readonly PaidReply[]) {
  let gateway: CreatingGateway | null = null;
  const { at, sent, sendPaid } = sending(() => gateway ?? never(), ...replies);
  gateway = await openCreating({ sendPaid });
  return { ...gateway, at, sent };
}

function never(): never {
  throw new Error('the gateway is not open yet');
}

function history({ store }: CreatingGateway) {
  return store.attempts
    .find(alice, job('job-1'))
    .then((known) => known && store.attempts.events(known.attempt.id, 0));
}

describe('the reconciler', () => {
  it('replays the stored bytes and key when they are due, until an answer comes', async () => {
    const gateway = await open(
      lost,
      lost,
      { kind: 'http-5xx', httpStatus: 503, retryAfterSeconds: 20 },
      oneMade,
    );
    await gateway.create();
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(60_000);
    expect(gateway.at).toEqual([0, 2_000, 6_000, 26_000]);
    expect(new Set(gateway.sent).size).toBe(1);
    expect((await history(gateway))?.map(({ state, reason }) => reason ?? state)).toEqual([
      'PREPARED',
      'SENDING',
      'TRANSPORT',
      'SENDING',
      'TRANSPORT',
      'SENDING',
      'HTTP_5XX',
      'SENDING',
      'RESOLVED',
    ]);
    await worker.stop();
  });

  it('leaves an attempt to a person when its deadline has passed', async () => {
    const gateway = await open(lost);
    await gateway.create({ reviewThresholdAt: moment(10_000) });
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(60_000);
    expect(gateway.at).toEqual([0, 2_000, 6_000]);
    expect(await attemptOf(gateway)).toMatchObject({ state: 'OPERATOR_REVIEW', sends: 3, reserved: 5_000 });
    expect(gateway.counts.get('attemptReached OPERATOR_REVIEW')).toBe(1);
    expect(outcomeIn(await gateway.create()).kind).toBe('CreateOrderOperatorReview');
    await worker.stop();
  });

  it('sends 32 times at most', async () => {
    const gateway = await open(lost);
    await gateway.create();
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(3_700_000);
    expect(sendsOf(gateway)).toBe(32);
    expect(await attemptOf(gateway)).toMatchObject({ state: 'OPERATOR_REVIEW', sends: 32 });
    await worker.stop();
  });

  it('sends nothing into a ban that outlasts the deadline', async () => {
    const gateway = await open({
      kind: 'failure',
      httpStatus: 429,
      code: 'TEMP_BANNED_ABUSE_GUARD',
      retryAfterSeconds: 14_400,
    });
    await gateway.create();
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(3_700_000);
    expect(gateway.at).toEqual([0]);
    expect((await attemptOf(gateway)).state).toBe('OPERATOR_REVIEW');
    await worker.stop();
  });

  it('takes over from a sender that died, once its lease is over, with the same bytes and key', async () => {
    const dying = await openCreating({ sendPaid: () => new Promise(() => undefined) });
    void createOrder(dying.deps, asked, byAlice);
    await dying.clock.pass(1_000);
    const { database, clock } = dying;
    const gateway = { ...(await openScripted(provider(), { database, clock, seed: 2 })) };
    const bodies: string[] = [];
    gateway.upstream.script({
      async sendPaid({ body }) {
        bodies.push(body);
        return oneMade;
      },
    });
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await clock.pass(43_000);
    expect(bodies).toEqual([]);
    await clock.pass(6_000);
    const attempt = await attemptOf(gateway);
    expect(bodies).toEqual([attempt.body]);
    expect(attempt).toMatchObject({ state: 'RESOLVED', sends: 2 });
    const events = await gateway.store.attempts.events(attempt.id, 0);
    expect(events.map(({ reason, state }) => reason ?? state)).toEqual([
      'PREPARED',
      'SENDING',
      'SENDER_LOST',
      'SENDING',
      'RESOLVED',
    ]);
    await worker.stop();
  });

  it('looks again when more was due than it takes at once', async () => {
    let id = 100;
    const gateway = await openCreating({ sendPaid: async () => lost });
    for (let n = 0; n < 120; n++) await gateway.create({ businessJobId: job(`job-${n}`) });
    gateway.upstream.script({
      sendPaid: async () => ({ kind: 'made', orders: [made({ id: orderId(id++) })], failedCount: 0 }),
    });
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(2_000);
    expect(await gateway.store.attempts.nextDueAt()).toBeNull();
    await worker.stop();
  });

  it('sends four at once at most', async () => {
    let underWay = 0;
    let most = 0;
    const gateway = await openCreating({ sendPaid: async () => lost });
    for (let n = 0; n < 20; n++) await gateway.create({ businessJobId: job(`job-${n}`) });
    gateway.upstream.script({
      async sendPaid() {
        most = Math.max(most, ++underWay);
        await gateway.clock.sleep(100);
        underWay--;
        return lost;
      },
    });
    const worker = runWorker(gateway.deps, reconciler(gateway.deps));
    await gateway.clock.pass(4_000);
    expect(most).toBe(4);
    expect(sendsOf(gateway)).toBe(40);
    await worker.stop();
  });
});

describe('one replay', () => {
  it.each(['held', 'not due', 'final'])('does nothing where it is %s', async (why) => {
    const gateway = await open(why === 'final' ? oneMade : lost);
    if (why === 'held') {
      gateway.upstream.script({ sendPaid: () => new Promise(() => undefined) });
      void createOrder(gateway.deps, asked, byAlice);
      await gateway.clock.pass(1_000);
    } else await gateway.create();
    const before = sendsOf(gateway);
    const attempt = await attemptOf(gateway);
    await gateway.clock.until(replayAttempt(gateway.deps, attempt.id));
    expect(sendsOf(gateway)).toBe(before);
    expect(await attemptOf(gateway)).toEqual(attempt);
  });

  it('by two instances at once leaves once', async () => {
    const gateway = await open(lost, oneMade);
    await gateway.create();
    await gateway.clock.pass(2_000);
    const { database, clock } = gateway;
    const other = await openScripted(provider(), { database, clock, seed: 2 });
    const { id } = await attemptOf(gateway);
    await clock.until(Promise.all([replayAttempt(gateway.deps, id), replayAttempt(other.deps, id)]));
    expect(sendsOf(gateway) + sendsOf(other)).toBe(2);
    expect(await attemptOf(gateway)).toMatchObject({ state: 'RESOLVED', sends: 2 });
  });
});
