import type { Actor, CallerActor } from '../../../src/domain/audit.ts';
import {
  type AttemptId,
  type CallerName,
  type OrderId,
  parseAttemptId,
  parseBusinessJobId,
  parseCallerName,
  parseCatalogProductId,
  parseIdempotencyKey,
  parseKeyId,
  parseOrderId,
  parseProductId,
} from '../../../src/domain/ids.ts';
import { type Rupiah, rupiah } from '../../../src/domain/money.ts';
import type { AttemptDraft, Claim } from '../../../src/domain/orders/attempt.ts';
import { nothingAllowed, type OrderSnapshot } from '../../../src/domain/orders/order.ts';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import type { WebhookEvent } from '../../../src/domain/sms/event.ts';
import type { InboxEntry } from '../../../src/ports/store/inbox.ts';
import type { OrderQuery } from '../../../src/ports/store/orders.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { known } from './world.ts';

export const alice: CallerName = known(parseCallerName('alice'));
export const bob: CallerName = known(parseCallerName('bob'));
export const byAlice: CallerActor = {
  kind: 'caller',
  caller: alice,
  keyId: known(parseKeyId('key-of-alice')),
  requestId: 'request-1',
};
export const byShell: Actor = { kind: 'shell' };
export const ofAlice = { kind: 'own', caller: alice } as const;
export const ofBob = { kind: 'own', caller: bob } as const;
export const ofAll = { kind: 'all' } as const;

export const order = (id: number): OrderId => known(parseOrderId(id));
export const job = (text: string) => known(parseBusinessJobId(text));
export const attemptId = (text: string): AttemptId => known(parseAttemptId(text));

/** A create of one number for at most 5,000 rupiah, by alice; its job, key and id are made of its name. */
export function draft(name: string, but: Partial<AttemptDraft> = {}): AttemptDraft {
  const catalogProductId = known(parseCatalogProductId(1007));
  return {
    id: attemptId(`attempt-${name}`),
    caller: alice,
    businessJobId: job(`job-${name}`),
    request: { kind: 'CREATE', catalogProductId, quantity: 1, maxUnitPrice: null, routing: null },
    endpoint: '/orders/create',
    body: '{"catalog_product_id":1007,"quantity":1}',
    fingerprint: 'f'.repeat(64),
    idempotencyKey: known(parseIdempotencyKey(`key-${name}`)),
    reviewThresholdAt: null,
    catalogProductId,
    quantity: 1,
    reserve: rupiah(5_000),
    ...but,
  };
}

export function reactivation(name: string, parent: OrderId, but: Partial<AttemptDraft> = {}): AttemptDraft {
  return draft(name, {
    request: { kind: 'REACTIVATE', orderId: parent, maxCost: rupiah(5_000) },
    endpoint: '/orders/reactivate',
    ...but,
  });
}

/** What a read of an open order tells: complete, with a number, cancelable. */
export function snapshot(id: number, but: Partial<OrderSnapshot> = {}): OrderSnapshot {
  return {
    id: order(id),
    status: 'ACTIVE',
    phoneNumber: `62812${id}`,
    amount: rupiah(4_000),
    productId: known(parseProductId(501)),
    capabilities: { ...nothingAllowed, canCancel: true },
    evidence: null,
    ...but,
  };
}

export function sms(revision: number, message = `Your code is ${revision}`, otpCode: string | null = null) {
  return { status: 'OTP_RECEIVED', evidence: { revision, message, otpCode } } as const;
}

export function made(...orders: readonly OrderSnapshot[]): PaidReply {
  return { kind: 'made', orders, failedCount: 0 };
}

/** Prepares an attempt that is to be fresh and claimed. */
export async function prepared(store: Store, wish: AttemptDraft, token = 'claim'): Promise<Claim> {
  const result = await store.attempts.prepare(wish, token, byAlice);
  if (result.kind !== 'fresh') throw new Error(`the attempt is ${result.kind}`);
  return known(result.claim);
}

/** An attempt that has made these orders. */
export async function bought(store: Store, wish: AttemptDraft, ...orders: readonly OrderSnapshot[]) {
  const claim = await prepared(store, { ...wish, quantity: orders.length });
  const settled = await store.attempts.settle(claim, made(...orders));
  if (settled.attempt.state !== 'RESOLVED') throw new Error(`the attempt is ${settled.attempt.state}`);
  return settled;
}

export function smsEvent(id: number, revision: number, message = `Your code is ${revision}`): WebhookEvent {
  return {
    kind: 'sms',
    orderId: order(id),
    evidence: { revision, message, otpCode: null },
    facts: { capabilities: {}, emittedAt: null },
  };
}

export function endedEvent(id: number, status: 'COMPLETED' | 'CANCELED' | 'EXPIRED'): WebhookEvent {
  return { kind: 'ended', orderId: order(id), status, facts: { capabilities: {}, emittedAt: null } };
}

export function smsEntry(id: number, revision: number): InboxEntry {
  return {
    dedupeKey: `order.otp_received:${id}:${revision}`,
    event: 'order.otp_received',
    orderId: order(id),
    revision,
    body: new TextEncoder().encode(`{"order_id":${id},"sms_revision":${revision}}`),
    rejected: false,
  };
}

export function endedEntry(id: number): InboxEntry {
  return { ...smsEntry(id, 0), dedupeKey: `order.ended:${id}`, event: 'order.ended', revision: null };
}

/** Stores a webhook and works it off at once. */
export async function receive(store: Store, id: number, event: WebhookEvent): Promise<void> {
  const revision = event.kind === 'sms' ? event.evidence.revision : null;
  await store.inbox.insert(revision === null ? endedEntry(id) : smsEntry(id, revision));
  const records = await store.inbox.pending(1, [order(id)]);
  await store.inbox.apply([{ record: known(records[0]), event }]);
}

/** Asks for every order. */
export const anyOrder: OrderQuery = {
  statuses: null,
  businessJobId: null,
  phoneNumber: null,
  createdFrom: null,
  createdTo: null,
};

/** Sets a caller's spending limit, the way a key's creation does. */
export async function limit(store: Store, caller: CallerName, budgetLimit: Rupiah): Promise<void> {
  const id = known(parseKeyId(`limit-${caller}-${budgetLimit}`));
  await store.keys.create({ id, hash: id, caller, scopes: ['BUYER'], expiresAt: null, budgetLimit }, byShell);
}
