import type { OrderId } from '../ids.ts';
import { isInt32 } from '../int.ts';
import type { Instant } from '../time.ts';

/** A revision number that is an integer, with a message that is not blank. Made by parsers alone. */
export interface SmsEvidence {
  readonly revision: number;
  readonly message: string;
  readonly otpCode: string | null;
}

export type SmsSource = 'WEBHOOK' | 'POLL';

/** An accepted message. `sequence` rises over all orders of the store, and is what a follower of many orders resumes by. */
export interface SmsRevision {
  readonly orderId: OrderId;
  readonly revision: number;
  readonly message: string;
  readonly otpCode: string | null;
  readonly source: SmsSource;
  readonly receivedAt: Instant;
  readonly sequence: number;
}

/** Each order starts here: any integer above it is news. */
export const NO_REVISION = -1;

/**
 * smscode-v1.md, New messages: a revision strictly above the accepted one is news. OTP_RECEIVED and otp_code are
 * no gates, and neither is a terminal status: a late message is still a message.
 */
export function isNews(acceptedRevision: number, evidence: SmsEvidence | null): evidence is SmsEvidence {
  return evidence !== null && evidence.revision > acceptedRevision;
}

/**
 * Null unless the revision is an integer (no boolean) and the message is text that is not blank. Past int32 it would be
 * the last revision ever: every later message would be passed over, and the graph's Int cannot say it.
 */
export function parseEvidence(revision: unknown, message: unknown, otpCode: unknown): SmsEvidence | null {
  if (!isInt32(revision)) return null;
  if (typeof message !== 'string' || message.trim() === '') return null;
  return { revision, message, otpCode: typeof otpCode === 'string' ? otpCode : null };
}
