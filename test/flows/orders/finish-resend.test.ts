import { describe, expect, it } from 'vitest';
import type { OrderSnapshot, OrderStatus } from '../../../src/domain/orders/order.ts';
import { type FinishOutcome, finishOrder } from '../../../src/flows/orders/finish-order.ts';
import { type ResendOutcome, resendSms } from '../../../src/flows/orders/resend-sms.ts';
import type { ActionRejectionCode, NumbersApi, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { ofAlice } from '../../support/gateway.ts';
import { byAlice, evidence, must, orderId } from '../../support/values.ts';
import { openActing, readings, seven, unavailable } from '../support/acting.ts';

type Outcome = FinishOutcome | ResendOutcome;
type End =
  | 'receipt'
  | 'unclear'
  | { readonly kind: 'rejected'; readonly httpStatus: number; readonly code: ActionRejectionCode };

const actions = {
  finish: {
    name: 'Finish',
    flag: 'canFinish',
    ask: finishOrder,
    script: (end: End): Partial<NumbersApi> => ({
      finish: async () =>
        end === 'receipt'
          ? { kind: 'receipt', receipt: null }
          : end === 'unclear'
            ? { kind: 'unclear' }
            : end,
    }),
  },
  resend: {
    name: 'Resend',
    flag: 'canResend',
    ask: resendSms,
    script: (end: End): Partial<NumbersApi> => ({
      resend: async () =>
        end === 'receipt'
          ? { kind: 'receipt', receipt: { resent: true } }
          : end === 'unclear'
            ? { kind: 'unclear' }
            : end,
    }),
  },
} as const;

describe.each(['finish', 'resend'] as const)('a %s', (action) => {
  const { name, flag, ask, script } = actions[action];
  const message = evidence(2);
  const waiting: Partial<OrderSnapshot> = {
    status: 'OTP_RECEIVED',
    evidence: message,
    capabilities: { [flag]: true },
  };

  async function open(reads: readonly (Partial<OrderSnapshot> | UpstreamFault)[], end: End = 'receipt') {
    const gateway = await openActing(script(end));
    gateway.upstream.script({ order: readings(() => gateway, ...reads) });
    const act = (): Promise<Outcome> =>
      gateway.clock.until<Outcome | null>(ask(gateway.deps, ofAlice, seven, byAlice)).then(must);
    return { ...gateway, act };
  }

  it('is not for an order that is not there', async () => {
    const gateway = await open([waiting]);
    expect(await ask(gateway.deps, ofAlice, orderId(8), byAlice)).toBeNull();
    expect(gateway.upstream.calls).toEqual([]);
  });

  it('is skipped where it is not allowed', async () => {
    const gateway = await open([{ ...waiting, capabilities: { [flag]: false } }]);
    expect(await gateway.act()).toMatchObject({ kind: `${name}Skipped`, order: { status: 'OTP_RECEIVED' } });
    expect(gateway.upstream.calls).toEqual(['order 7']);
  });

  it.each<[string, Partial<OrderSnapshot> | UpstreamFault, OrderStatus | null]>([
    ['the flag was not told', { status: 'OTP_RECEIVED' }, 'OTP_RECEIVED'],
    ['the order could not be read', unavailable, null],
  ])('is ambiguous where %s', async (_, read, latestStatus) => {
    const gateway = await open([read]);
    expect(await gateway.act()).toEqual({ kind: `${name}Ambiguous`, orderId: 7, latestStatus });
    expect(gateway.upstream.count(action)).toBe(0);
  });

  it.each([
    [401, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'PROVIDER_ERROR'],
    [422, 'VALIDATION_ERROR'],
    [429, 'RATE_LIMIT_EXCEEDED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const)('is rejected: %d %s', async (httpStatus, code) => {
    const gateway = await open([waiting], { kind: 'rejected', httpStatus, code });
    expect(await gateway.act()).toEqual({ kind: `${name}Rejected`, orderId: 7, httpStatus, code });
    expect(gateway.upstream.calls).toEqual(['order 7', `${action} 7`]);
  });

  it('asked for ten times at once is sent once, and all get the one outcome', async () => {
    const gateway = await open([waiting]);
    const read = readings(() => gateway, waiting);
    // Or the first would be through before the last has begun.
    gateway.upstream.script({ order: (id) => gateway.clock.sleep(1_000).then(() => read(id)) });
    const asks = Array.from({ length: 10 }, () => ask(gateway.deps, ofAlice, seven, byAlice));
    const outcomes = await gateway.clock.until<readonly (Outcome | null)[]>(Promise.all(asks));
    expect(gateway.upstream.count(action)).toBe(1);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: `${name}Receipt` });
  });

  it('with an unclear end is looked up by one read, and not sent again', async () => {
    const gateway = await open([waiting, waiting], 'unclear');
    expect(await gateway.act()).toEqual({
      kind: `${name}Ambiguous`,
      orderId: 7,
      latestStatus: 'OTP_RECEIVED',
    });
    expect(gateway.upstream.calls).toEqual(['order 7', `${action} 7`, 'order 7']);
  });

  it('with an unclear end, and a read that fails, tells the status of the read before', async () => {
    const gateway = await open([waiting, unavailable], 'unclear');
    expect(await gateway.act()).toMatchObject({ kind: `${name}Ambiguous`, latestStatus: 'OTP_RECEIVED' });
  });
});

describe('a finish', () => {
  const waiting: Partial<OrderSnapshot> = {
    status: 'OTP_RECEIVED',
    evidence: evidence(1),
    capabilities: { canFinish: true },
  };
  const completed: Partial<OrderSnapshot> = {
    ...waiting,
    status: 'COMPLETED',
    capabilities: { canFinish: false, canReactivate: true },
  };

  it('comes to a receipt, and reads once more what may be done with the order', async () => {
    const gateway = await openActing(actions.finish.script('receipt'));
    gateway.upstream.script({ order: readings(() => gateway, waiting, completed) });
    expect(await gateway.clock.until(finishOrder(gateway.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'FinishReceipt',
      order: { status: 'COMPLETED', capabilities: { canFinish: false, canReactivate: true } },
    });
  });

  it('comes to a receipt though that read fails', async () => {
    const gateway = await openActing(actions.finish.script('receipt'));
    gateway.upstream.script({ order: readings(() => gateway, waiting, unavailable) });
    expect(await gateway.clock.until(finishOrder(gateway.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'FinishReceipt',
      order: { status: 'COMPLETED', capabilities: { canReactivate: false } },
    });
  });

  it('with an unclear end is confirmed by COMPLETED', async () => {
    const gateway = await openActing(actions.finish.script('unclear'));
    gateway.upstream.script({ order: readings(() => gateway, waiting, completed) });
    expect(await gateway.clock.until(finishOrder(gateway.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'FinishConfirmed',
      order: { status: 'COMPLETED' },
    });
  });
});

describe('a resend', () => {
  it('tells the revision accepted before it, that of its own read included', async () => {
    const before: Partial<OrderSnapshot> = {
      status: 'OTP_RECEIVED',
      evidence: evidence(2),
      capabilities: { canResend: true },
    };
    const gateway = await openActing(actions.resend.script('receipt'));
    gateway.upstream.script({
      order: readings(() => gateway, before, { status: 'ACTIVE', evidence: evidence(3) }),
    });
    expect(await gateway.clock.until(resendSms(gateway.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'ResendReceipt',
      resent: true,
      afterRevision: 2,
      order: { status: 'ACTIVE', smsRevision: 3 },
    });
  });

  it('that was not passed on says so', async () => {
    const gateway = await openActing({
      resend: async () => ({ kind: 'receipt', receipt: { resent: false } }),
    });
    gateway.upstream.script({ order: readings(() => gateway, { capabilities: { canResend: true } }) });
    expect(await gateway.clock.until(resendSms(gateway.deps, ofAlice, seven, byAlice))).toMatchObject({
      kind: 'ResendReceipt',
      resent: false,
      afterRevision: -1,
    });
  });

  it('is confirmed by nothing', async () => {
    const gateway = await openActing(actions.resend.script('unclear'));
    const before = { status: 'OTP_RECEIVED', capabilities: { canResend: true } } as const;
    gateway.upstream.script({ order: readings(() => gateway, before, { status: 'ACTIVE' }) });
    expect(await gateway.clock.until(resendSms(gateway.deps, ofAlice, seven, byAlice))).toEqual({
      kind: 'ResendAmbiguous',
      orderId: 7,
      latestStatus: 'ACTIVE',
    });
  });
});
