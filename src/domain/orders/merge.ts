import type { AttemptId, CallerName, OrderId } from '../ids.ts';
import { isNews, NO_REVISION, type SmsEvidence, type SmsSource } from '../sms/accept.ts';
import { type Instant, latest } from '../time.ts';
import { type Capabilities, isTerminal, nothingAllowed, type Order, type OrderSnapshot } from './order.ts';

/** Whom an order belongs to, as the attempt that made it says. */
export interface Adoption {
  readonly owner: CallerName;
  readonly attemptId: AttemptId;
  readonly reactivatedFromId: OrderId | null;
}

/** How a snapshot came to us. `readAt` is when the read began (a webhook: when it was received). */
export interface Reading {
  readonly source: SmsSource;
  readonly readAt: Instant;
  readonly adoption: Adoption | null;
}

/** What a snapshot changed. `news` is to be appended to the order's messages in the same transaction. */
export interface Merged {
  readonly order: Order;
  readonly news: SmsEvidence | null;
  /** Status or capabilities differ: followers of the order see a new version. */
  readonly changed: boolean;
  /** Reached a terminal status with this snapshot, and never before. */
  readonly ended: boolean;
  /** The evidence names the accepted revision with another text: the first is kept, and the log told. */
  readonly conflict: boolean;
}

/**
 * What becomes of an order when a snapshot arrives. First the evidence is judged, and only then the status
 * (smscode-v1.md, New messages). A read that began before the one shown is stale: its evidence counts, and what was
 * unknown is filled in, but status and flags stay, unless it brings news or the end. Nothing leads out of a terminal status.
 */
export function mergeSnapshot(current: Order | null, snapshot: OrderSnapshot, reading: Reading): Merged {
  const before = current ?? unknownOrder(snapshot, reading);
  const evidence = snapshot.evidence;
  const news = isNews(before.smsRevision, evidence) ? evidence : null;
  // How long a webhook was under way nobody knows: without news or the end, it may be a story of an hour ago.
  const isFresh = current === null || (reading.source === 'POLL' && reading.readAt >= before.asOf);
  const ends = isTerminal(snapshot.status) && !isTerminal(before.status);
  const tells = isFresh || news !== null || ends;
  const status =
    tells && (!isTerminal(before.status) || isTerminal(snapshot.status)) ? snapshot.status : before.status;
  // A non-terminal snapshot of an order that has ended is late news: its flags are as old as its status.
  const capabilities =
    tells && status === snapshot.status
      ? overlay(before.capabilities, snapshot.capabilities)
      : before.capabilities;
  const changed =
    current === null || status !== before.status || !sameCapabilities(capabilities, before.capabilities);
  const adoption = before.attemptId === null ? reading.adoption : null;
  const order: Order = {
    ...before,
    owner: adoption?.owner ?? before.owner,
    attemptId: adoption?.attemptId ?? before.attemptId,
    reactivatedFromId: adoption?.reactivatedFromId ?? before.reactivatedFromId,
    status,
    capabilities,
    phoneNumber: told(snapshot.phoneNumber, before.phoneNumber, isFresh),
    amount: snapshot.amount ?? before.amount,
    productId: snapshot.productId ?? before.productId,
    catalogProductId: told(snapshot.catalogProductId, before.catalogProductId, isFresh),
    operatorId: told(snapshot.operatorId, before.operatorId, isFresh),
    operatorName: told(snapshot.operatorName, before.operatorName, isFresh),
    otpCode: news === null ? before.otpCode : news.otpCode,
    otpMessage: news === null ? before.otpMessage : news.message,
    smsRevision: news === null ? before.smsRevision : news.revision,
    otpReceivedAt: firstMessageAt(before, snapshot, reading, news),
    expiresAt: told(snapshot.expiresAt, before.expiresAt, isFresh),
    failedReason: told(snapshot.failedReason, before.failedReason, isFresh),
    canceledAt: snapshot.canceledAt ?? before.canceledAt ?? (status === 'CANCELED' ? reading.readAt : null),
    createdAt: snapshot.createdAt ?? before.createdAt,
    asOf: tells ? latest(before.asOf, reading.readAt) : before.asOf,
    version: changed && current !== null ? before.version + 1 : before.version,
  };
  return {
    order,
    news,
    changed,
    ended: isTerminal(status) && (current === null || !isTerminal(current.status)),
    conflict:
      evidence !== null &&
      evidence.revision === before.smsRevision &&
      before.otpMessage !== null &&
      evidence.message !== before.otpMessage,
  };
}

/** A key not told leaves what was known; a stale read and a webhook only fill holes; null never erases what is known. */
function told<Value>(next: Value | null | undefined, known: Value | null, isFresh: boolean): Value | null {
  return isFresh ? (next ?? known) : (known ?? next ?? null);
}

/** A read tells the first message's time exactly; a webhook only its own, which is the first's when none came before. */
function firstMessageAt(
  before: Order,
  snapshot: OrderSnapshot,
  reading: Reading,
  news: SmsEvidence | null,
): Instant | null {
  if (reading.source === 'POLL' && snapshot.otpReceivedAt) return snapshot.otpReceivedAt;
  return before.otpReceivedAt ?? snapshot.otpReceivedAt ?? (news === null ? null : reading.readAt);
}

function overlay(known: Capabilities, told: Partial<Capabilities>): Capabilities {
  return { ...known, ...told };
}

const capabilityKeys = [
  'canFinish',
  'canResend',
  'canCancel',
  'canReplace',
  'canReactivate',
  'resendAvailableAt',
  'cancelAvailableAt',
  'replaceAvailableAt',
] as const satisfies readonly (keyof Capabilities)[];

function sameCapabilities(a: Capabilities, b: Capabilities): boolean {
  return capabilityKeys.every((key) => a[key] === b[key]);
}

function unknownOrder(snapshot: OrderSnapshot, reading: Reading): Order {
  return {
    id: snapshot.id,
    owner: null,
    attemptId: null,
    reactivatedFromId: null,
    status: snapshot.status,
    phoneNumber: null,
    amount: null,
    productId: null,
    catalogProductId: null,
    operatorId: null,
    operatorName: null,
    otpCode: null,
    otpMessage: null,
    smsRevision: NO_REVISION,
    otpReceivedAt: null,
    expiresAt: null,
    failedReason: null,
    canceledAt: null,
    capabilities: nothingAllowed,
    createdAt: reading.readAt,
    asOf: reading.readAt,
    version: 1,
  };
}
