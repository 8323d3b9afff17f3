import {
  parseAttemptId,
  parseBusinessJobId,
  parseCallerName,
  parseCatalogProductId,
  parseIdempotencyKey,
} from '../../../domain/ids.ts';
import { parseRupiah } from '../../../domain/money.ts';
import {
  type Attempt,
  type AttemptEvent,
  attemptStates,
  reconciliationReasons,
  rejectionCodes,
} from '../../../domain/orders/attempt.ts';
import { rowReader } from '../../bad-row.ts';
import { requestFromJson, requestToJson } from '../../request-json.ts';
import type { attemptEvents, attempts } from '../attempt-tables.ts';
import type { NewRow } from '../write-rows.ts';

export type AttemptRow = typeof attempts.$inferSelect;
export type AttemptEventRow = typeof attemptEvents.$inferSelect;

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
export function attemptRow(attempt: Attempt, claimToken: string | null): NewRow<typeof attempts> {
  const { request, rejection, ...columns } = attempt;
  return {
    ...columns,
    request: requestToJson(request),
    rejectionCode: rejection?.code ?? null,
    rejectionStatus: rejection?.httpStatus ?? null,
    claimToken,
    dueAt: attempt.leaseUntil ?? attempt.nextAttemptAt,
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
