import type { CatalogProductId, OperatorId, OrderId, ProductId } from '../ids.ts';
import type { Capabilities, OrderSnapshot, TerminalStatus } from '../orders/order.ts';
import type { Instant } from '../time.ts';
import type { SmsEvidence } from './accept.ts';

/** What a genuine webhook says, once parsed. Everything that is not of the first two kinds is kept, and acted on by nothing. */
export type WebhookEvent =
  | {
      readonly kind: 'sms';
      readonly orderId: OrderId;
      readonly evidence: SmsEvidence;
      readonly facts: WebhookFacts;
    }
  | {
      readonly kind: 'ended';
      readonly orderId: OrderId;
      readonly status: TerminalStatus;
      readonly facts: WebhookFacts;
    }
  | { readonly kind: 'test' }
  /** An unknown event, or an SMS event without a usable revision or text. */
  | { readonly kind: 'nothing'; readonly why: string };

/** What an order event says besides its own news; a key that was missing or of a wrong type is left out. */
export interface WebhookFacts {
  readonly phoneNumber?: string | null;
  readonly productId?: ProductId;
  readonly catalogProductId?: CatalogProductId | null;
  readonly operatorId?: OperatorId | null;
  readonly operatorName?: string | null;
  readonly capabilities: Partial<Capabilities>;
  readonly emittedAt: Instant | null;
}

/** An event as a snapshot of its order. A message means OTP_RECEIVED; the name of a terminal event is the status. */
export function snapshotOf(event: Extract<WebhookEvent, { kind: 'sms' | 'ended' }>): OrderSnapshot {
  const { emittedAt, ...facts } = event.facts;
  if (event.kind === 'ended') return { ...facts, id: event.orderId, status: event.status, evidence: null };
  return {
    ...facts,
    id: event.orderId,
    status: 'OTP_RECEIVED',
    evidence: event.evidence,
    ...(emittedAt === null ? {} : { otpReceivedAt: emittedAt }),
  };
}
