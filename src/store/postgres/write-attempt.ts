import { minus, noRupiah } from '../../domain/money.ts';
import type { Attempt, Claim } from '../../domain/orders/attempt.ts';
import type { PaidReply } from '../../domain/orders/reply.ts';
import type { Instant } from '../../domain/time.ts';
import type { AttemptStep } from '../attempt-steps.ts';
import type { Line } from '../book-lines.ts';
import { failureOf, type Place } from '../order-contribution.ts';
import { attemptRow } from '../rows/attempt.ts';
import { attemptEvents, attemptEvidence, attempts } from './attempt-tables.ts';
import type { Ledger, ListEntry } from './ledger.ts';
import { insertInto, update } from './statements.ts';
import type { Transaction } from './transaction.ts';

const addAttempt = insertInto(attempts);
const saveAttempt = update(attempts, 'id');
const addEvents = insertInto(attemptEvents);
const addEvidence = insertInto(attemptEvidence);

/** Writes a step: row, events and wakes. What it books and counts goes to the ledger. `place`: where a settled one belongs. */
export function writeAttempt(
  tx: Transaction,
  ledger: Ledger,
  before: Attempt | null,
  { attempt, events }: AttemptStep,
  claimToken: string | null,
  place: Place | null,
): void {
  const save = before === null ? addAttempt : saveAttempt;
  tx.send(save, save.values([{ ...attemptRow(attempt, claimToken) }]));
  tx.send(addEvents, addEvents.values(events.map((event) => ({ attemptId: attempt.id, ...event }))));
  const reserve = reserveLine(before, attempt);
  if (reserve !== null) ledger.add(reserve);
  ledger.move('attempts', entryOf(before), entryOf(attempt));
  // An attempt is settled once: what it lost is counted once.
  if (place !== null && (attempt.state === 'RESOLVED' || attempt.state === 'DEFINITIVE_REJECTION')) {
    const failure = failureOf(attempt, place);
    if (failure !== null) ledger.count(failure, 1);
  }
  tx.wake([`attempt:${attempt.id}`]);
  if (attempt.leaseUntil !== null || attempt.nextAttemptAt !== null) tx.wake(['attempts-due']);
}

export function keepEvidence(
  tx: Transaction,
  { attemptId, version }: Claim,
  reply: PaidReply,
  at: Instant,
): void {
  const row = { attemptId, claimVersion: version, reply: JSON.stringify(reply), at };
  tx.send(addEvidence, addEvidence.values([row]));
}

function reserveLine(before: Attempt | null, after: Attempt): Line | null {
  const change = minus(after.reserved, before?.reserved ?? noRupiah);
  if (change === 0) return null;
  const line = { caller: after.caller, attemptId: after.id, orderId: null };
  return change > 0
    ? { ...line, kind: 'RESERVED', amount: change, note: 'reserve' }
    : { ...line, kind: 'FREED', amount: minus(noRupiah, change), note: 'outcome' };
}

function entryOf(attempt: Attempt | null): ListEntry {
  return attempt === null ? null : { owner: attempt.caller, state: attempt.state };
}
