import { type Instant, later, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import type { SupplierSlots } from '../../ports/store/supplier.ts';
import type { Passed } from '../gate.ts';

/** "At most two requests at once per user", whatever they are (supplier-v2.md, Limits). */
const MOST_PLACES = 2;
/** The API's 200 ms between arrivals, and by how much one call may be longer on its way than the next. */
const SPACING = 220;
/** Longer than a call may take: a place outlives its call only where the holder died. */
const PLACE_LEASE = 20 * SECOND;
/** A place may come free long before the store can tell, and a call of another instance tells nobody here that it ended. */
const LONGEST_POLL = 100;
const AFTER_FAILURE = SECOND;
/** A read lets deliveries pass that come so long after it, and no later ones: else a steady stream of them starved it. */
const COURTESY = 3 * SECOND;

/** An update is an orders-update, the one call that is spaced; bulk is the other delivery. */
export type CallKind = 'update' | 'bulk' | 'read';

/** Keeps the API's limits over all instances, so that a 429 is rare. */
export interface Limits {
  /**
   * Runs `work` in a place of its own, which is given back whatever becomes of it. `timed-out`: there was none by
   * `deadline`, and `work` was not begun. Deliveries go before reads; among equals, who came first.
   */
  pass<Value>(kind: CallKind, deadline: Instant, work: () => Promise<Value>): Promise<Passed<Value>>;
}

export interface LimitsParts {
  readonly slots: SupplierSlots;
  readonly clock: Clock;
  readonly random: Pick<Random, 'token'>;
  readonly log: Log;
  /** Calls at once; more than two counts as two. */
  readonly places: number;
}

interface Waiter {
  /** Where it stands among the waiting. */
  readonly rank: Instant;
  readonly admit: (token: string) => void;
}

/** One asks the store for all that wait in this process: forty at once must not hammer it. */
export function createLimits({ slots, clock, random, log, places }: LimitsParts): Limits {
  const mostPlaces = Math.min(places, MOST_PLACES);
  const waiting: Readonly<Record<CallKind, Set<Waiter>>> = {
    update: new Set(),
    bulk: new Set(),
    read: new Set(),
  };
  let underWay = 0;
  let isAsking = false;
  let stopTimer = () => {};
  /** Since our own last update was sent, which may be later than the store's count of it. */
  let spacedUntil = clock.now();
  /** The store said so. Void as soon as a place of ours comes free. */
  let noUpdateUntil = clock.now();
  let nothingUntil = clock.now();

  function turn(): void {
    if (isAsking || underWay >= mostPlaces) return;
    stopTimer();
    const free = leftOf(nothingUntil);
    const spaced = Math.max(free, leftOf(noUpdateUntil), leftOf(spacedUntil));
    const next = first(spaced > 0 ? ['bulk', 'read'] : ['update', 'bulk', 'read']);
    if (next !== null && free === 0) {
      isAsking = true;
      // It never rejects.
      void ask(next);
    } else if (next !== null) {
      stopTimer = clock.after(free, turn);
    } else if (waiting.update.size > 0) {
      stopTimer = clock.after(spaced, turn);
    }
  }

  /** The kind of who is to go next, of those named. */
  function first(kinds: readonly CallKind[]): CallKind | null {
    let found: CallKind | null = null;
    let best = Number.POSITIVE_INFINITY;
    for (const kind of kinds) {
      // Sets keep the order of arrival.
      const [waiter] = waiting[kind];
      if (waiter === undefined || waiter.rank >= best) continue;
      found = kind;
      best = waiter.rank;
    }
    return found;
  }

  /** Milliseconds. No wait is longer than a second: more is left only where the clock was set back, and means none. */
  function leftOf(until: Instant): number {
    const left = until - clock.now();
    return left > AFTER_FAILURE ? 0 : Math.max(left, 0);
  }

  async function ask(kind: CallKind): Promise<void> {
    const token = random.token();
    const wait = await take(token, kind);
    isAsking = false;
    const now = clock.now();
    if (wait === null) {
      underWay++;
      if (kind === 'update') spacedUntil = later(now, SPACING);
      // Who asked may have given up meanwhile; then the next of its kind goes.
      const [waiter] = waiting[kind];
      if (waiter === undefined) await release(token);
      else waiter.admit(token);
    } else if (kind === 'update') {
      noUpdateUntil = later(now, wait);
    } else {
      nothingUntil = later(now, wait);
    }
    turn();
  }

  /** Null: granted. Else the milliseconds until it is worth asking again. */
  async function take(token: string, kind: CallKind): Promise<number | null> {
    try {
      const grant = await slots.take(token, {
        places: mostPlaces,
        isUpdate: kind === 'update',
        spacingMs: SPACING,
        leaseMs: PLACE_LEASE,
      });
      if (grant.kind === 'granted') return null;
      return Math.min(Math.max(Math.ceil(grant.milliseconds), 1), LONGEST_POLL);
    } catch (error) {
      log.error('a place for a supplier call could not be asked for', { call: kind }, error);
      // It may have been granted all the same.
      await giveBack(token);
      return AFTER_FAILURE;
    }
  }

  async function release(token: string): Promise<void> {
    await giveBack(token);
    underWay--;
    noUpdateUntil = clock.now();
    nothingUntil = clock.now();
    turn();
  }

  async function giveBack(token: string): Promise<void> {
    try {
      await slots.giveBack(token);
    } catch (error) {
      // What the call came to must not be lost over this; the place is free again when its lease has run out.
      log.error('a place for a supplier call could not be given back', {}, error);
    }
  }

  function enter(kind: CallKind, deadline: Instant): Promise<string | null> {
    const now = clock.now();
    if (now >= deadline) return Promise.resolve(null);
    return new Promise((resolve) => {
      const leave = (token: string | null): void => {
        stopDeadline();
        waiting[kind].delete(waiter);
        resolve(token);
      };
      const waiter: Waiter = { rank: kind === 'read' ? later(now, COURTESY) : now, admit: leave };
      const stopDeadline = clock.after(deadline - now, () => leave(null));
      waiting[kind].add(waiter);
      turn();
    });
  }

  return {
    async pass(kind, deadline, work) {
      const token = await enter(kind, deadline);
      if (token === null) return { kind: 'timed-out' };
      try {
        return { kind: 'done', value: await work() };
      } finally {
        await release(token);
      }
    },
  };
}
