import {
  type OrderId,
  parseCatalogProductId,
  parseOperatorId,
  parseOrderId,
  parseProductId,
} from '../../domain/ids.ts';
import { parseRupiah } from '../../domain/money.ts';
import { type Capabilities, type OrderSnapshot, orderStatuses } from '../../domain/orders/order.ts';
import { parseEvidence } from '../../domain/sms/accept.ts';
import type { WebhookFacts } from '../../domain/sms/event.ts';
import { type Instant, parseInstant } from '../../domain/time.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/**
 * One order as a read shows it (smscode-v1.md, One order): valid with an int32 id, a known status and no refund
 * figures. Every other field is as if not told when it is missing or of a wrong type: a flag that changed its type must
 * not hide a message. Null when invalid, or when it is of another order than `asked`.
 */
export function readSnapshot(value: unknown, asked: OrderId | null): OrderSnapshot | null {
  if (!isJsonObject(value)) return null;
  const id = parseOrderId(value['id']);
  const status = orderStatuses.find((known) => known === value['status']);
  if (id === null || status === undefined || (asked !== null && id !== asked)) return null;
  // Figures of money back belong to the receipt of a cancel alone: this is then no snapshot.
  if (Object.hasOwn(value, 'refund_amount') || Object.hasOwn(value, 'new_balance')) return null;
  const snapshot: Writable<OrderSnapshot> = {
    id,
    status,
    ...readFacts(value),
    evidence: parseEvidence(value['sms_revision'], value['otp_message'], value['otp_code']),
  };
  tell(snapshot, 'amount', parseRupiah(value['amount']) ?? undefined);
  tell(snapshot, 'otpReceivedAt', instantOrNull(value['otp_received_at']));
  tell(snapshot, 'expiresAt', instantOrNull(value['expires_at']));
  tell(snapshot, 'failedReason', textOrNull(value['failed_reason']));
  tell(snapshot, 'canceledAt', instantOrNull(value['canceled_at']));
  tell(snapshot, 'createdAt', instantOrNull(value['created_at']));
  return snapshot;
}

/** What snapshots and webhooks tell of an order alike. */
export function readFacts(order: JsonObject): Omit<WebhookFacts, 'emittedAt'> {
  const facts: Writable<Omit<WebhookFacts, 'emittedAt'>> = { capabilities: readCapabilities(order) };
  tell(facts, 'phoneNumber', textOrNull(order['phone_number']));
  tell(facts, 'productId', parseProductId(order['product_id']) ?? undefined);
  tell(facts, 'catalogProductId', idOrNull(order['catalog_product_id'], parseCatalogProductId));
  tell(facts, 'operatorId', idOrNull(order['operator_id'], parseOperatorId));
  tell(facts, 'operatorName', textOrNull(order['operator_name']));
  return facts;
}

function readCapabilities(order: JsonObject): Partial<Capabilities> {
  const capabilities: Writable<Partial<Capabilities>> = {};
  tell(capabilities, 'canFinish', flag(order['can_finish']));
  tell(capabilities, 'canResend', flag(order['can_resend']));
  tell(capabilities, 'canCancel', flag(order['can_cancel']));
  tell(capabilities, 'canReplace', flag(order['can_replace']));
  tell(capabilities, 'canReactivate', flag(order['can_reactivate']));
  tell(capabilities, 'resendAvailableAt', instantOrNull(order['resend_available_at']));
  tell(capabilities, 'cancelAvailableAt', instantOrNull(order['cancel_available_at']));
  tell(capabilities, 'replaceAvailableAt', instantOrNull(order['replace_available_at']));
  return capabilities;
}

// Undefined is "not told".

function flag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function textOrNull(value: JsonValue | undefined): string | null | undefined {
  return typeof value === 'string' || value === null ? value : undefined;
}

function instantOrNull(value: JsonValue | undefined): Instant | null | undefined {
  if (typeof value !== 'string') return value === null ? null : undefined;
  return parseInstant(value) ?? undefined;
}

function idOrNull<Id>(
  value: JsonValue | undefined,
  parse: (value: unknown) => Id | null,
): Id | null | undefined {
  return value === null ? null : (parse(value) ?? undefined);
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Not told leaves the key out: there with undefined, it would overwrite what is known of the order. */
function tell<Target, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key] | undefined,
): void {
  if (value !== undefined) target[key] = value;
}
