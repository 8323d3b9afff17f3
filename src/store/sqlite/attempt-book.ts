import { and, eq, sql } from 'drizzle-orm';
import type { AttemptId, BusinessJobId, CallerName, IdempotencyKey } from '../../domain/ids.ts';
import { minus, noRupiah } from '../../domain/money.ts';
import type { Attempt, Claim } from '../../domain/orders/attempt.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import type { Instant } from '../../domain/time.ts';
import type { AttemptStep } from '../attempt-steps.ts';
import { BadRow } from '../bad-row.ts';
import { attemptFrom, attemptRow, eventFrom } from '../rows/attempt.ts';
import { attemptEvents, attemptEvidence, attempts } from './attempt-tables.ts';
import type { Base } from './base.ts';
import type { Books } from './books.ts';
import type { ListEntry, ListTotals } from './list-totals.ts';
import type { OrderFacts } from './order-facts.ts';
import { rowWriter } from './write-rows.ts';
import type { Unit } from './writer.ts';

export interface HeldAttempt {
  readonly attempt: Attempt;
  /** Of the holder of the claim; null where nobody holds it. */
  readonly claimToken: string | null;
}

/** Rows of attempts and their events. To be used inside of a write alone, but for the finds. */
export interface AttemptBook {
  /** @throws Error when there is no such attempt: ids come from this store. */
  load(id: AttemptId): HeldAttempt;
  ofJob(caller: CallerName, businessJobId: BusinessJobId): Attempt | null;
  isKeyTaken(key: IdempotencyKey): boolean;
  /** When the send under this claim was committed. */
  sentAt(claim: Claim): Instant;
  /** Writes a step: row, events, the change of what is reserved, and wakes. */
  write(before: Attempt | null, step: AttemptStep, claimToken: string | null, unit: Unit): void;
  keepEvidence(claim: Claim, reply: PaidReply, at: Instant): void;
}

interface Parts {
  readonly base: Base;
  readonly books: Books;
  readonly facts: OrderFacts;
  readonly totals: ListTotals;
}

export function createAttemptBook({ base, books, facts, totals }: Parts): AttemptBook {
  const { database, db } = base;
  const findAttempt = db
    .select()
    .from(attempts)
    .where(eq(attempts.id, sql.placeholder('id')))
    .prepare();
  const findOfJob = db
    .select()
    .from(attempts)
    .where(
      and(
        eq(attempts.caller, sql.placeholder('caller')),
        eq(attempts.businessJobId, sql.placeholder('businessJobId')),
      ),
    )
    .prepare();
  const findOfKey = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.idempotencyKey, sql.placeholder('key')))
    .prepare();
  const findEvent = db
    .select()
    .from(attemptEvents)
    .where(
      and(
        eq(attemptEvents.attemptId, sql.placeholder('attemptId')),
        eq(attemptEvents.version, sql.placeholder('version')),
      ),
    )
    .prepare();
  const saveAttempt = rowWriter(database, attempts, { replaceBy: ['id'] });
  const addEvent = rowWriter(database, attemptEvents, 'fail');
  const addEvidence = rowWriter(database, attemptEvidence, 'fail');

  function bookReserve(before: Attempt | null, after: Attempt, at: Instant): void {
    const change = minus(after.reserved, before?.reserved ?? noRupiah);
    if (change === 0) return;
    const line = { caller: after.caller, attemptId: after.id, orderId: null };
    if (change > 0) books.add({ ...line, kind: 'RESERVED', amount: change, note: 'reserve' }, at);
    else books.add({ ...line, kind: 'FREED', amount: minus(noRupiah, change), note: 'outcome' }, at);
  }

  return {
    load(id) {
      const row = findAttempt.get({ id });
      if (row === undefined) throw new Error(`there is no attempt ${id}`);
      return { attempt: attemptFrom(row), claimToken: row.claimToken };
    },
    ofJob(caller, businessJobId) {
      const row = findOfJob.get({ caller, businessJobId });
      return row === undefined ? null : attemptFrom(row);
    },
    isKeyTaken: (key) => findOfKey.get({ key }) !== undefined,
    sentAt({ attemptId, version }) {
      const row = findEvent.get({ attemptId, version });
      if (row === undefined) throw new BadRow('attempt_events', `${attemptId}/${version}`);
      return eventFrom(row).at;
    },
    write(before, { attempt, events }, claimToken, unit) {
      saveAttempt({ ...attemptRow(attempt, claimToken) });
      totals.move(entryOf(before), entryOf(attempt));
      for (const event of events) addEvent({ attemptId: attempt.id, ...event });
      bookReserve(before, attempt, unit.now);
      // An attempt is settled once: what it lost is counted once.
      if (attempt.state === 'RESOLVED' || attempt.state === 'DEFINITIVE_REJECTION')
        facts.attemptFailed(attempt);
      unit.wake([`attempt:${attempt.id}`]);
      if (attempt.leaseUntil !== null || attempt.nextAttemptAt !== null) unit.wake(['attempts-due']);
    },
    keepEvidence({ attemptId, version }, reply, at) {
      addEvidence({ attemptId, claimVersion: version, reply: JSON.stringify(reply), at });
    },
  };
}

function entryOf(attempt: Attempt | null): ListEntry {
  return attempt === null ? null : { owner: attempt.caller, state: attempt.state };
}
