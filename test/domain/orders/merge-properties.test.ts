import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Merged, mergeSnapshot, type Reading } from '../../../src/domain/orders/merge.ts';
import {
  isTerminal,
  type Order,
  type OrderSnapshot,
  orderStatuses,
} from '../../../src/domain/orders/order.ts';
import { alice, attemptId, bob, evidence, moment, orderId } from '../../support/values.ts';

const snapshot: fc.Arbitrary<OrderSnapshot> = fc.record(
  {
    id: fc.constant(orderId(7)),
    status: fc.constantFrom(...orderStatuses),
    capabilities: fc.record({ canCancel: fc.boolean(), canFinish: fc.boolean() }, { requiredKeys: [] }),
    evidence: fc.option(fc.integer({ min: -2, max: 6 }).map((revision) => evidence(revision))),
    phoneNumber: fc.constantFrom(null, '', '+1', '+2'),
    failedReason: fc.constantFrom(null, 'NoNumbers'),
    expiresAt: fc.option(fc.integer({ min: 0, max: 9 }).map(moment)),
  },
  { requiredKeys: ['id', 'status', 'capabilities', 'evidence'] },
);

const adoption = fc.constantFrom(
  null,
  { owner: alice, attemptId: attemptId('attempt-1'), reactivatedFromId: null },
  { owner: bob, attemptId: attemptId('attempt-2'), reactivatedFromId: null },
);

const reading: fc.Arbitrary<Reading> = fc.record({
  source: fc.constantFrom('POLL' as const, 'WEBHOOK' as const),
  readAt: fc.integer({ min: 0, max: 9 }).map(moment),
  adoption,
});

const arrivals = fc.array(fc.tuple(snapshot, reading), { minLength: 1, maxLength: 12 });

interface Step extends Merged {
  readonly before: Order | null;
  readonly snapshot: OrderSnapshot;
  readonly reading: Reading;
}

function stepsOf(list: readonly (readonly [OrderSnapshot, Reading])[]): readonly Step[] {
  const steps: Step[] = [];
  for (const [told, how] of list) {
    const before = steps.at(-1)?.order ?? null;
    steps.push({ ...mergeSnapshot(before, told, how), before, snapshot: told, reading: how });
  }
  return steps;
}

function always(check: (steps: readonly Step[]) => void): void {
  fc.assert(
    fc.property(arrivals, (list) => check(stepsOf(list))),
    { numRuns: 150 },
  );
}

it('accepts exactly what is above everything accepted before, whatever the order of arrival', () => {
  always((steps) => {
    let accepted = -1;
    for (const {
      news,
      order,
      snapshot: { evidence: offered },
    } of steps) {
      const isNew = offered !== null && offered.revision > accepted;
      expect(news).toEqual(isNew ? offered : null);
      if (isNew) accepted = offered.revision;
      expect(order.smsRevision).toBe(accepted);
    }
  });
});

it('never leaves a terminal status, and ends once', () => {
  always((steps) => {
    for (const { before, order } of steps) {
      if (before !== null && isTerminal(before.status)) expect(isTerminal(order.status)).toBe(true);
    }
    expect(steps.filter(({ ended }) => ended).length).toBe(
      steps.some(({ order }) => isTerminal(order.status)) ? 1 : 0,
    );
  });
});

it('lets no stale read or late webhook overwrite anything, unless it brings news or the end', () => {
  always((steps) => {
    for (const {
      before,
      order,
      news,
      ended,
      reading: { readAt, source },
    } of steps) {
      if (before === null || news !== null || ended) continue;
      if (source === 'POLL' && readAt >= before.asOf) continue;
      expect([order.status, order.capabilities, order.version, order.asOf]).toEqual([
        before.status,
        before.capabilities,
        before.version,
        before.asOf,
      ]);
      for (const key of ['phoneNumber', 'failedReason', 'expiresAt'] as const) {
        if (before[key] !== null) expect(order[key]).toBe(before[key]);
      }
    }
  });
});

it('never moves the time of what is shown backwards', () => {
  always((steps) => {
    for (const { before, order } of steps)
      expect(order.asOf).toBeGreaterThanOrEqual(before?.asOf ?? moment(0));
  });
});

it('adopts once', () => {
  always((steps) => {
    const first = steps.find((step) => step.reading.adoption !== null)?.reading.adoption;
    expect(steps.at(-1)?.order.owner).toBe(first?.owner ?? null);
    expect(steps.at(-1)?.order.attemptId).toBe(first?.attemptId ?? null);
  });
});

it('erases nothing', () => {
  always((steps) => {
    for (const { before, order } of steps) {
      for (const key of [
        'phoneNumber',
        'failedReason',
        'expiresAt',
        'otpMessage',
        'otpReceivedAt',
      ] as const) {
        if (before !== null && before[key] !== null) expect(order[key]).not.toBeNull();
      }
    }
  });
});

it('counts a version for each change that followers see, and for no other', () => {
  always((steps) => {
    for (const { before, order, changed } of steps) {
      const sees = ({ status, capabilities }: Order): unknown => ({ status, capabilities });
      const differs = before === null || JSON.stringify(sees(before)) !== JSON.stringify(sees(order));
      expect(changed).toBe(differs);
      expect(order.version).toBe((before?.version ?? 0) + (differs ? 1 : 0));
    }
  });
});

it('finds nothing new in what it has just taken in', () => {
  always((steps) => {
    for (const { order, snapshot: told, reading: how } of steps) {
      const again = mergeSnapshot(order, told, how);
      expect(again).toMatchObject({ news: null, ended: false });
      expect(again.order.smsRevision).toBe(order.smsRevision);
    }
  });
});
