import type { AlertKind } from '../domain/alert.ts';
import type { Rupiah } from '../domain/money.ts';
import type { AttemptState } from '../domain/orders/attempt.ts';
import type { SmsSource } from '../domain/sms/accept.ts';

/** What flows and workers count. Labels are closed unions: no id, name or text becomes a label. */
export interface Metrics {
  attemptReached(state: AttemptState): void;
  /** `sinceOrdered` in milliseconds; null where only webhooks have told of the order so far. */
  smsAccepted(source: SmsSource, sinceOrdered: number | null): void;
  /** The accepted revision came again with another text (faults.md D6). */
  smsConflict(): void;
  webhook(result: 'stored' | 'duplicate' | 'rejected' | 'unsigned' | 'failed'): void;
  inboxDead(): void;
  /** A batch of webhooks was worked off; the age in milliseconds of the oldest. */
  inboxLag(milliseconds: number): void;
  poll(result: 'ok' | 'failed'): void;
  /** A round of polling took this share of its interval; above 1 it is late. */
  pollRound(share: number): void;
  /** `room` is a port of the store. */
  storeCall(room: string, milliseconds: number): void;
  upstreamCall(side: 'buyer' | 'supplier', operation: string, result: string, milliseconds: number): void;
  alert(kind: AlertKind): void;
  balance(amount: Rupiah): void;
  workerFailed(worker: string): void;
  streams(kind: string, change: 1 | -1): void;
}
