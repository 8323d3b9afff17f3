import type { AlertKind } from '../domain/alert.ts';
import type { Rupiah } from '../domain/money.ts';
import type { AttemptState } from '../domain/orders/attempt.ts';
import type { SmsSource } from '../domain/sms/accept.ts';

/** What flows and workers count. Labels are closed unions: no id, name or text becomes a label. */
export interface Metrics {
  attemptReached(state: AttemptState): void;
  smsAccepted(source: SmsSource): void;
  /** The accepted revision came again with another text (faults.md D6). */
  smsConflict(): void;
  webhook(result: 'stored' | 'duplicate' | 'rejected' | 'unsigned' | 'failed'): void;
  inboxDead(): void;
  /** A batch of webhooks was worked off; the age in milliseconds of the oldest. */
  inboxLag(milliseconds: number): void;
  poll(result: 'ok' | 'failed'): void;
  upstreamCall(side: 'buyer' | 'supplier', operation: string, result: string, milliseconds: number): void;
  alert(kind: AlertKind): void;
  balance(amount: Rupiah): void;
  workerFailed(worker: string): void;
  streams(kind: string, change: 1 | -1): void;
}
