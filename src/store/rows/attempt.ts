import {
  parseAttemptId,
  parseBusinessJobId,
  parseCallerName,
  parseCatalogProductId,
  parseIdempotencyKey,
} from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import {
  type Attempt,
  type AttemptEvent,
  attemptStates,
  reconciliationReasons,
  rejectionCodes,
} from '../../domain/orders/attempt.ts';
import { rowReader } from '../bad-row.ts';
import { requestFromJson, requestToJson } from '../request-json.ts';

export type AttemptRow = {
  readonly id: string;
  readonly caller: string;
  readonly businessJobId: string;
  /** JSON (request-json.ts). */
  readonly request: string;
  readonly endpoint: string;
  readonly body: string;
  readonly fingerprint: string;
  readonly idempotencyKey: string;
  readonly catalogProductId: number | null;
  readonly quantity: number;
  readonly state: string;
  readonly reason: string | null;
  readonly rejectionCode: string | null;
  readonly rejectionStatus: number | null;
  readonly failedCount: number;
  readonly sends: number;
  readonly version: number;
  readonly startedAt: number;
  readonly reviewThresholdAt: number;
  readonly replayDeadlineAt: number;
  readonly nextAttemptAt: number | null;
  readonly leaseUntil: number | null;
  /** Of the holder whose lease runs; null where none does. */
  readonly claimToken: string | null;
  /** When it asks for a sender: its lease's end, or its next time; null in a final state. */
  readonly dueAt: number | null;
  readonly reserved: number;
};

export interface AttemptEventRow {
  readonly attemptId: string;
  readonly version: number;
  readonly state: string;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly note: string | null;
  readonly sends: number;
  readonly nextAttemptAt: number | null;
  readonly at: number;
}

export function attemptFrom(row: AttemptRow): Attempt {
  const read = rowReader('attempts', row.id);
  const { rejectionCode, rejectionStatus } = row;
  return {
    id: read.sure(parseAttemptId(row.id)),
    caller: read.sure(parseCallerName(row.caller)),
    businessJobId: read.sure(parseBusinessJobId(row.businessJobId)),
    request: read.sure(requestFromJson(row.request)),
    endpoint: row.endpoint,
    body: row.body,
    fingerprint: row.fingerprint,
    idempotencyKey: read.sure(parseIdempotencyKey(row.idempotencyKey)),
    catalogProductId: read.maybe(row.catalogProductId, parseCatalogProductId),
    quantity: row.quantity,
    state: read.oneOf(row.state, attemptStates),
    reason: read.maybeOneOf(row.reason, reconciliationReasons),
    rejection:
      rejectionCode === null
        ? null
        : { code: read.oneOf(rejectionCode, rejectionCodes), httpStatus: read.sure(rejectionStatus) },
    failedCount: row.failedCount,
    sends: row.sends,
    version: row.version,
    startedAt: read.instant(row.startedAt),
    reviewThresholdAt: read.instant(row.reviewThresholdAt),
    replayDeadlineAt: read.instant(row.replayDeadlineAt),
    nextAttemptAt: read.maybeInstant(row.nextAttemptAt),
    leaseUntil: read.maybeInstant(row.leaseUntil),
    reserved: read.sure(parseRupiah(row.reserved)),
  };
}

/** `claimToken`: of the holder whose lease runs; null where none does. */
export function attemptRow(attempt: Attempt, claimToken: string | null): AttemptRow {
  const { rejection } = attempt;
  return {
    id: attempt.id,
    caller: attempt.caller,
    businessJobId: attempt.businessJobId,
    request: requestToJson(attempt.request),
    endpoint: attempt.endpoint,
    body: attempt.body,
    fingerprint: attempt.fingerprint,
    idempotencyKey: attempt.idempotencyKey,
    catalogProductId: attempt.catalogProductId,
    quantity: attempt.quantity,
    state: attempt.state,
    reason: attempt.reason,
    rejectionCode: rejection?.code ?? null,
    rejectionStatus: rejection?.httpStatus ?? null,
    failedCount: attempt.failedCount,
    sends: attempt.sends,
    version: attempt.version,
    startedAt: attempt.startedAt,
    reviewThresholdAt: attempt.reviewThresholdAt,
    replayDeadlineAt: attempt.replayDeadlineAt,
    nextAttemptAt: attempt.nextAttemptAt,
    leaseUntil: attempt.leaseUntil,
    claimToken,
    dueAt: attempt.leaseUntil ?? attempt.nextAttemptAt,
    reserved: attempt.reserved,
  };
}

export function eventFrom(row: AttemptEventRow): AttemptEvent {
  const read = rowReader('attempt_events', `${row.attemptId}/${row.version}`);
  return {
    version: row.version,
    state: read.oneOf(row.state, attemptStates),
    reason: read.maybeOneOf(row.reason, reconciliationReasons),
    httpStatus: row.httpStatus,
    errorCode: row.errorCode,
    note: row.note,
    sends: row.sends,
    nextAttemptAt: read.maybeInstant(row.nextAttemptAt),
    at: read.instant(row.at),
  };
}
