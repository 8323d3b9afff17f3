import type { AttemptId, CallerName, CatalogProductId, OperatorId, OrderId, ProductId } from '../ids.ts';
import type { Rupiah } from '../money.ts';
import type { SmsEvidence } from '../sms/accept.ts';
import type { Instant } from '../time.ts';

export const orderStatuses = ['ACTIVE', 'OTP_RECEIVED', 'COMPLETED', 'CANCELED', 'EXPIRED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Nothing but a late message can still come of an order in one of these. */
export type TerminalStatus = 'COMPLETED' | 'CANCELED' | 'EXPIRED';

export function isTerminal(status: OrderStatus): status is TerminalStatus {
  return status === 'COMPLETED' || status === 'CANCELED' || status === 'EXPIRED';
}

/** What may be done now. All of it is the server's word: no flag is derived from a time or a status here. */
export interface Capabilities {
  readonly canFinish: boolean;
  readonly canResend: boolean;
  readonly canCancel: boolean;
  readonly canReplace: boolean;
  readonly canReactivate: boolean;
  readonly resendAvailableAt: Instant | null;
  readonly cancelAvailableAt: Instant | null;
  readonly replaceAvailableAt: Instant | null;
}

export const nothingAllowed: Capabilities = {
  canFinish: false,
  canResend: false,
  canCancel: false,
  canReplace: false,
  canReactivate: false,
  resendAvailableAt: null,
  cancelAvailableAt: null,
  replaceAvailableAt: null,
};

/**
 * What one read told of one order. Only id and status are sure to be there; a key left out was not told (the
 * active list has no phone number, a guide's sample has six keys), null was told as null.
 */
export interface OrderSnapshot {
  readonly id: OrderId;
  readonly status: OrderStatus;
  readonly phoneNumber?: string | null;
  readonly amount?: Rupiah;
  readonly productId?: ProductId;
  readonly catalogProductId?: CatalogProductId | null;
  readonly operatorId?: OperatorId | null;
  readonly operatorName?: string | null;
  readonly otpReceivedAt?: Instant | null;
  readonly expiresAt?: Instant | null;
  readonly failedReason?: string | null;
  readonly canceledAt?: Instant | null;
  readonly createdAt?: Instant | null;
  readonly capabilities: Partial<Capabilities>;
  /** Null where the read holds no valid evidence of a message. */
  readonly evidence: SmsEvidence | null;
}

/** An order as the gateway keeps it. */
export interface Order {
  readonly id: OrderId;
  /** Null for an order made elsewhere on the account. */
  readonly owner: CallerName | null;
  readonly attemptId: AttemptId | null;
  readonly reactivatedFromId: OrderId | null;
  readonly status: OrderStatus;
  readonly phoneNumber: string | null;
  /** Null while only a webhook has told of the order: such a row is kept, and not shown before a read completed it. */
  readonly amount: Rupiah | null;
  readonly productId: ProductId | null;
  readonly catalogProductId: CatalogProductId | null;
  readonly operatorId: OperatorId | null;
  readonly operatorName: string | null;
  readonly otpCode: string | null;
  readonly otpMessage: string | null;
  /** The accepted revision; -1 before the first message. */
  readonly smsRevision: number;
  readonly otpReceivedAt: Instant | null;
  readonly expiresAt: Instant | null;
  readonly failedReason: string | null;
  readonly canceledAt: Instant | null;
  readonly capabilities: Capabilities;
  readonly createdAt: Instant;
  /** When the snapshot shown was read: the start of the read, so that a slow older read cannot overwrite a newer one. */
  readonly asOf: Instant;
  /** Rises by one with each change of status or capabilities. */
  readonly version: number;
}

/** Blank is as good as none: a number that cannot be typed into a form is not assigned. */
export function hasUsableNumber(order: { readonly phoneNumber?: string | null }): boolean {
  return typeof order.phoneNumber === 'string' && order.phoneNumber.trim() !== '';
}
