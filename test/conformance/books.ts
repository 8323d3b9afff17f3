import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type BudgetEntry,
  book,
  budgetEntryKinds,
  emptyBudget,
} from '../../src/domain/budget/budget.ts';
import type { CallerName } from '../../src/domain/ids.ts';
import { parseCallerName } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { type AttemptEvent, attemptStates, type Claim } from '../../src/domain/orders/attempt.ts';
import { orderStatuses } from '../../src/domain/orders/order.ts';
import type { PaidReply } from '../../src/domain/orders/reply.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { CreateDatabase } from './support/database.ts';
import { anyOrder, attemptId, byAlice, draft, job, limit, snapshot } from './support/values.ts';
import { known, useWorld, type World } from './support/world.ts';

const LIMIT = 20_000;

/** What may happen to a caller's jobs and orders; numbers pick which of those there are. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('prepare' as const), reserve: fc.nat(9_000) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      pick: fc.nat(20),
      reply: fc.constantFrom('made', 'none', 'transport', 'rejected'),
      price: fc.nat(100),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.nat(90) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), pick: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      pick: fc.nat(20),
      status: fc.constantFrom('ACTIVE', 'EXPIRED', 'CANCELED', 'COMPLETED'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), pick: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

export function describeBooks(create: CreateDatabase): void {
  describe('books', () => {
    const world = useWorld(create);

    it('never go over the limit, and add up line by line, whatever happens in which order', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
          async (rounds) => {
            run += 1;
            const play = player(world(), run);
            await limit(world().store, play.caller, rupiah(LIMIT));
            for (const round of rounds) {
              // Steps of one round are under way together.
              await Promise.all(round.map(play.step));
              const budget = await world().store.budgets.find(play.caller);
              expect(budget.spent + budget.reserved).toBeLessThanOrEqual(LIMIT);
              expect(budget.spent).toBeGreaterThanOrEqual(0);
              expect(budget.reserved).toBeGreaterThanOrEqual(0);
              expect(await replayed(world(), play.caller)).toEqual(budget);
            }
            await play.checkHistories();
            await play.checkTotals();
          },
        ),
        { numRuns: 40 },
      );
      // Thousands of commits over a socket: on a machine that is busy with other work they take their time.
    }, 60_000);
  });
}

function player(world: World, run: number) {
  const { store, clock } = world;
  const caller = known(parseCallerName(`caller-${run}`));
  const names: string[] = [];
  const claims: { readonly claim: Claim; readonly reserve: number }[] = [];
  const orders: number[] = [];
  const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined =>
    items[pick % Math.max(1, items.length)];

  async function step(next: Step): Promise<void> {
    switch (next.kind) {
      case 'prepare': {
        const name = `${run}-${names.length}`;
        names.push(name);
        const result = await store.attempts.prepare(
          draft(name, { caller, reserve: rupiah(next.reserve) }),
          't',
          byAlice,
        );
        if (result.kind === 'fresh' && result.claim !== null) {
          claims.push({ claim: result.claim, reserve: next.reserve });
        }
        return;
      }
      case 'settle': {
        const held = pickOf(claims, next.pick);
        if (held === undefined) return;
        const id = run * 1_000 + orders.length;
        // What is charged is within what was reserved: then the limit must hold.
        const amount = rupiah(Math.floor((held.reserve * next.price) / 100));
        const made = { kind: 'made', orders: [snapshot(id, { amount })], failedCount: 0 } as const;
        if (next.reply === 'made') orders.push(id);
        await store.attempts.settle(held.claim, replyOf(next.reply, made));
        return;
      }
      case 'pass':
        clock.pass(next.seconds * SECOND);
        return;
      case 'take': {
        const name = pickOf(names, next.pick);
        const known = name === undefined ? null : await store.attempts.find(caller, job(`job-${name}`));
        if (known === null) return;
        const taken = await store.attempts.take(known.attempt.id, 't');
        if (taken.kind === 'claimed') claims.push({ claim: taken.claim, reserve: taken.attempt.reserved });
        return;
      }
      case 'read': {
        const id = pickOf(orders, next.pick);
        if (id === undefined) return;
        // A settlement that lost its claim has made no order: a read then tells of one made elsewhere.
        await store.orders.record(snapshot(id, { status: next.status }), clock.now());
        return;
      }
      case 'close': {
        const name = pickOf(names, next.pick);
        if (name !== undefined)
          await store.attempts.close(caller, job(`job-${name}`), { orderIds: [], note: '' }, byAlice);
      }
    }
  }

  /** The events of each attempt lead to the state it is in. */
  async function checkHistories(): Promise<void> {
    for (const name of names) {
      const found = await store.attempts.find(caller, job(`job-${name}`));
      if (found === null) continue;
      const events = await store.attempts.events(attemptId(`attempt-${name}`), 0);
      expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
      const { state, reason, rejection, sends, version, nextAttemptAt, startedAt } = found.attempt;
      const told = { state, reason, rejection, sends, version, nextAttemptAt, startedAt };
      expect(stateAfter(events)).toEqual(told);
    }
  }

  /** A page's total is what walking through all of it would count. */
  async function checkTotals(): Promise<void> {
    const scope = { kind: 'own', caller } as const;
    const everything = { first: 1_000, after: null };
    for (const statuses of [null, ...orderStatuses.map((status) => [status])]) {
      const page = await store.orders.page(scope, { ...anyOrder, statuses }, everything);
      expect(page.total).toBe(page.items.length);
    }
    for (const states of [null, ...attemptStates.map((state) => [state])]) {
      const page = await store.attempts.page(scope, states, everything);
      expect(page.total).toBe(page.items.length);
    }
  }
  return { caller, step, checkHistories, checkTotals };
}

function replyOf(reply: 'made' | 'none' | 'transport' | 'rejected', made: PaidReply): PaidReply {
  switch (reply) {
    case 'made':
      return made;
    case 'none':
      return { kind: 'made', orders: [], failedCount: 1 };
    case 'transport':
      return { kind: 'transport' };
    case 'rejected':
      return { kind: 'failure', httpStatus: 422, code: 'PROVIDER_ERROR', retryAfterSeconds: null };
  }
}

function stateAfter(events: readonly AttemptEvent[]) {
  const last = known(events.at(-1));
  const isRejected = last.state === 'DEFINITIVE_REJECTION';
  return {
    state: last.state,
    reason: last.reason,
    rejection: isRejected ? { code: last.errorCode, httpStatus: last.httpStatus } : null,
    sends: events.filter(({ state }) => state === 'SENDING').length,
    version: events.length,
    nextAttemptAt: last.nextAttemptAt,
    startedAt: known(events[0]).at,
  };
}

async function replayed(world: World, caller: CallerName): Promise<Budget> {
  const rows = await world.database.query(
    `select kind, amount from budget_entries where caller = '${caller}' order by id`,
  );
  const entries = rows.map((row): BudgetEntry => {
    const kind = known(budgetEntryKinds.find((one) => one === row['kind']));
    return { kind, amount: rupiah(Number(row['amount'])) };
  });
  return entries.reduce(book, { ...emptyBudget, limit: rupiah(LIMIT) });
}
