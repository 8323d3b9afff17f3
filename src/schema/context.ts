import type { Scope, Visibility } from '../domain/access.ts';
import type { CallerActor } from '../domain/audit.ts';
import type { Catalog } from '../domain/catalog/catalog.ts';
import type { Product } from '../domain/catalog/product.ts';
import type { AttemptId, CallerName, KeyId, OrderId, ProductId, SupplierOrderId } from '../domain/ids.ts';
import type { Attempt } from '../domain/orders/attempt.ts';
import type { Order } from '../domain/orders/order.ts';
import type { SmsRevision } from '../domain/sms/accept.ts';
import type { Delivery } from '../domain/supplier/delivery.ts';
import type { Deps } from '../flows/deps.ts';

/** Who asks: what the key stands for. */
export interface Caller {
  readonly name: CallerName;
  readonly scopes: readonly Scope[];
  /** Null where no stored key was used, as in a program's own requests. */
  readonly keyId: KeyId | null;
}

/** Everything a resolver may reach for. One for each operation; a subscription's lives as long as its stream. */
export interface GraphContext {
  readonly caller: Caller;
  /** The caller in this request: whom acts are written down to. */
  readonly by: CallerActor;
  /** Follows from the caller; stores take it with every read. */
  readonly visibility: Visibility;
  readonly deps: Deps;
  readonly requestId: string;
  readonly cursors: Cursors;
  readonly loaders: Loaders;
  /** The variables as sent, before defaults were filled in; null where there were none. */
  readonly rawVariables: Readonly<Record<string, unknown>> | null;
  /** Aborts when the client is gone; null where the transport cannot tell. Ends streams that were not handed over yet. */
  readonly signal: AbortSignal | null;
  /** Told which rows a catalog page has, by whoever prints them ahead of time; null: nobody does. */
  readonly onCatalogPage: ((catalog: Catalog, rows: readonly number[]) => void) | null;
}

/** What a position means beside itself: a cursor is good for this list, this caller and this filter alone. */
export interface CursorScope {
  readonly list: string;
  readonly visibility: Visibility;
  /** Filter and order as asked for; compared as JSON. */
  readonly question: unknown;
}

export type CursorValue = string | number;

/** Opaque places in a list, signed so that nobody can make one up. */
export interface Cursors {
  seal(scope: CursorScope, position: readonly CursorValue[]): string;
  /** Null for what was not sealed here, under this very scope. */
  open(scope: CursorScope, cursor: string): readonly unknown[] | null;
}

export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

/** Reads of the same kind within one turn become one; nothing is cached, so that a stream's later events are not shown old rows. */
export interface Loaders {
  /** Null for an order that is not visible to the caller. */
  readonly orders: Loader<OrderId, Order | null>;
  readonly attempts: Loader<AttemptId, Attempt | null>;
  /** Oldest first. */
  readonly messages: Loader<OrderId, readonly SmsRevision[]>;
  readonly seenProducts: Loader<ProductId, Product | null>;
  /** Oldest first. */
  readonly deliveries: Loader<SupplierOrderId, readonly Delivery[]>;
}
