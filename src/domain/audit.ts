import type { CallerName, KeyId } from './ids.ts';
import type { Instant } from './time.ts';

/** A caller, by one of its keys, in one request. */
export interface CallerActor {
  readonly kind: 'caller';
  readonly caller: CallerName;
  /** Null of the sandbox's ready key, which is no row. */
  readonly keyId: KeyId | null;
  /** Finds the request in the log. */
  readonly requestId: string;
}

/** Who had something done. What the gateway does by itself has no actor, and is not audited: its rows say it. */
export type Actor =
  | CallerActor
  /** Whoever holds the machine's command line. */
  | { readonly kind: 'shell' };

/** What was done, or begun: what came of it stands in the rows of its subject. */
export const auditActs = [
  'CREATE_ORDER',
  'REACTIVATE_ORDER',
  'CANCEL_ORDER',
  'FINISH_ORDER',
  'RESEND_SMS',
  'CLOSE_ATTEMPT',
  'PULL_SUPPLIER_ORDERS',
  'LEASE_SUPPLIER_ORDER',
  'RELEASE_SUPPLIER_ORDER',
  'DELIVER_SUPPLIER_ORDER',
  'CONNECT_WEBHOOK',
  'REPLAY_WEBHOOK',
  'CREATE_KEY',
  'REVOKE_KEY',
] as const;
export type AuditAct = (typeof auditActs)[number];

/** An act as it is read: UNKNOWN is one of a newer version, which has the database too while instances are replaced. */
export type ReadAct = AuditAct | 'UNKNOWN';

export interface AuditEntry {
  /** Rising, and its place in the list. */
  readonly sequence: number;
  readonly at: Instant;
  readonly by: Actor;
  readonly act: ReadAct;
  /** The id of what it was done to: an attempt, order, supplier order, delivery, pull, key or inbox record; of a webhook, its address. */
  readonly subject: string;
}
