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
import { rowFinder } from './read-rows.ts';
import { rowUpdater, rowWriter } from './write-rows.ts';
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

/** No step changes these. */
const settledAtStart = [
  'caller',
  'businessJobId',
  'request',
  'endpoint',
  'body',
  'fingerprint',
  'idempotencyKey',
  'catalogProductId',
  'quantity',
  'startedAt',
] as const;

export function createAttemptBook({ base, books, facts, totals }: Parts): AttemptBook {
  const { database } = base;
  const findAttempt = rowFinder(database, attempts, 'where id = ?');
  const findOfJob = rowFinder(database, attempts, 'where caller = ? and business_job_id = ?');
  const findOfKey = database
    .prepare<[string], string>('select id from attempts where idempotency_key = ?')
    .pluck();
  const findEvent = rowFinder(database, attemptEvents, 'where attempt_id = ? and version = ?');
  const addAttempt = rowWriter(database, attempts, 'fail');
  const updateAttempt = rowUpdater(database, attempts, settledAtStart);
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
      const row = findAttempt.one(id);
      if (row === undefined) throw new Error(`there is no attempt ${id}`);
      return { attempt: attemptFrom(row), claimToken: row.claimToken };
    },
    ofJob(caller, businessJobId) {
      const row = findOfJob.one(caller, businessJobId);
      return row === undefined ? null : attemptFrom(row);
    },
    isKeyTaken: (key) => findOfKey.get(key) !== undefined,
    sentAt({ attemptId, version }) {
      const row = findEvent.one(attemptId, version);
      if (row === undefined) throw new BadRow('attempt_events', `${attemptId}/${version}`);
      return eventFrom(row).at;
    },
    write(before, { attempt, events }, claimToken, unit) {
      const row = attemptRow(attempt, claimToken);
      if (before === null) addAttempt(row);
      else updateAttempt(row);
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
