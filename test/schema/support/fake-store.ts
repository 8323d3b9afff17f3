import type { Visibility } from '../../../src/domain/access.ts';
import type { Balance } from '../../../src/domain/balance.ts';
import { type Budget, emptyBudget } from '../../../src/domain/budget/budget.ts';
import type { Product } from '../../../src/domain/catalog/product.ts';
import type { CallerName } from '../../../src/domain/ids.ts';
import type { Attempt, AttemptDraft, AttemptEvent } from '../../../src/domain/orders/attempt.ts';
import type { Order } from '../../../src/domain/orders/order.ts';
import type { Page, PageRequest } from '../../../src/domain/page.ts';
import type { SmsRevision } from '../../../src/domain/sms/accept.ts';
import type { AttemptStore, Prepared } from '../../../src/ports/store/attempts.ts';
import type { SeenProducts } from '../../../src/ports/store/catalog.ts';
import type { FurtherStores } from '../../../src/ports/store/further.ts';
import type { ActionRecord, ActionStore, OrderChange, OrderStore } from '../../../src/ports/store/orders.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { start } from '../../support/values.ts';
import { only } from './only.ts';

/** What a fake store holds. A test fills it, and changes it between two questions. */
export interface Rows {
  orders: Order[];
  /** Versions of whatever order is followed. */
  changes: OrderChange[];
  attempts: Attempt[];
  events: AttemptEvent[];
  messages: SmsRevision[];
  balances: Balance[];
  budgets: Map<CallerName, Budget>;
  seen: Product[];
  /** What came to `prepare`, and what it answers. */
  drafts: AttemptDraft[];
  prepared: (draft: AttemptDraft) => Prepared;
  /** Outcomes that order actions ended with. */
  actions: ActionRecord[];
}

export function noRows(): Rows {
  return {
    orders: [],
    changes: [],
    attempts: [],
    events: [],
    messages: [],
    balances: [],
    budgets: new Map(),
    seen: [],
    drafts: [],
    prepared: () => ({ kind: 'key-taken' }),
    actions: [],
  };
}

export type StoreCalls = string[];

/** Reads as the ports promise them, out of arrays. `calls` gets the name of each, for tests of what was asked how often. */
export function createFakeStore(rows: Rows, calls: StoreCalls): Store & FurtherStores {
  const sees = (scope: Visibility, owner: CallerName | null): boolean =>
    scope.kind === 'all' || scope.caller === owner;
  const visible = (scope: Visibility): Order[] => rows.orders.filter((order) => sees(scope, order.owner));
  const messagesOf = (scope: Visibility): SmsRevision[] => {
    const ids = new Set(visible(scope).map((order) => order.id));
    return rows.messages.filter((message) => ids.has(message.orderId));
  };
  const told = <Value>(name: string, value: Value): Promise<Value> => {
    calls.push(name);
    return Promise.resolve(value);
  };

  return {
    attempts: only<AttemptStore>('attempts', {
      find(caller, businessJobId) {
        const attempt = rows.attempts.find(
          (row) => row.caller === caller && row.businessJobId === businessJobId,
        );
        const orders = rows.orders.filter((order) => order.attemptId === attempt?.id);
        return told('attempts.find', attempt === undefined ? null : { attempt, orders });
      },
      byIds: (scope, ids) =>
        told(
          'attempts.byIds',
          rows.attempts.filter((row) => ids.includes(row.id) && sees(scope, row.caller)),
        ),
      prepare(draft) {
        rows.drafts.push(draft);
        return told('attempts.prepare', rows.prepared(draft));
      },
      events: (_id, afterVersion) =>
        told(
          'attempts.events',
          rows.events.filter((event) => event.version > afterVersion),
        ),
      page(scope, states, request) {
        const found = rows.attempts
          .filter((row) => sees(scope, row.caller) && (states === null || states.includes(row.state)))
          .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
        return told(
          'attempts.page',
          cut(found, request, ({ startedAt, id }) => ({ startedAt, id })),
        );
      },
    }),
    orders: only<OrderStore>('orders', {
      find: (scope, id) => told('orders.find', visible(scope).find((order) => order.id === id) ?? null),
      byIds: (scope, ids) =>
        told(
          'orders.byIds',
          visible(scope).filter((order) => ids.includes(order.id)),
        ),
      page(scope, query, request) {
        const found = visible(scope)
          .filter(
            (order) =>
              (query.statuses === null || query.statuses.includes(order.status)) &&
              (query.phoneNumber === null || query.phoneNumber === order.phoneNumber) &&
              (query.createdFrom === null || order.createdAt >= query.createdFrom) &&
              (query.createdTo === null || order.createdAt < query.createdTo),
          )
          .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
        return told(
          'orders.page',
          cut(found, request, ({ createdAt, id }) => ({ createdAt, id })),
        );
      },
      record(snapshot) {
        const order = rows.orders.find((row) => row.id === snapshot.id);
        if (order === undefined) throw new Error('the test recorded an order it does not have');
        const merged = { ...order, status: snapshot.status };
        rows.orders = rows.orders.map((row) => (row.id === merged.id ? merged : row));
        return told('orders.record', {
          kind: 'recorded',
          order: merged,
          news: null,
          changed: false,
          conflict: false,
        });
      },
      changes: (_scope, _id, afterVersion) =>
        told(
          'orders.changes',
          rows.changes.filter((change) => change.version > afterVersion),
        ),
      messages: (scope, id, afterRevision, limit) =>
        told(
          'orders.messages',
          messagesOf(scope)
            .filter((message) => message.orderId === id && message.revision > afterRevision)
            .slice(0, limit),
        ),
      messagesOf: (scope, ids) =>
        told(
          'orders.messagesOf',
          messagesOf(scope).filter((message) => ids.includes(message.orderId)),
        ),
      messagesAfter: (scope, afterSequence, limit) =>
        told(
          'orders.messagesAfter',
          messagesOf(scope)
            .filter((message) => message.sequence > afterSequence)
            .slice(0, limit),
        ),
    }),
    actions: only<ActionStore>('actions', {
      begin: () => told('actions.begin', { kind: 'claimed', token: 'token' }),
      end(_id, _action, _token, outcome) {
        rows.actions.push(outcome);
        return told('actions.end', undefined);
      },
    }),
    inbox: only('inbox', {}),
    keys: only('keys', {}),
    budgets: { find: (caller) => told('budgets.find', rows.budgets.get(caller) ?? emptyBudget) },
    seenProducts: only<SeenProducts>('seenProducts', {
      remember: () => told('seenProducts.remember', undefined),
      ofCatalogProduct: (id) =>
        told(
          'seenProducts.ofCatalogProduct',
          rows.seen.filter((product) => product.catalogProductId === id),
        ),
      byIds: (ids) =>
        told(
          'seenProducts.byIds',
          rows.seen.filter((product) => ids.includes(product.id)),
        ),
    }),
    balances: {
      latest: () => told('balances.latest', rows.balances.at(-1) ?? null),
      record(reading) {
        const balance = { ...reading, sequence: rows.balances.length + 1 };
        rows.balances.push(balance);
        return told('balances.record', balance);
      },
      after: (sequence) =>
        told(
          'balances.after',
          rows.balances.filter((balance) => balance.sequence > sequence),
        ),
    },
    alerts: only('alerts', {}),
    notebook: only('notebook', {}),
    audit: only('audit', {}),
    evidence: { unaccounted: () => Promise.resolve([]) },
    statistics: only('statistics', {}),
    retention: only('retention', {}),
    supplier: only('supplier', {}),
    supplierSlots: only('supplierSlots', {}),
    turns: only('turns', {}),
    presence: only('presence', {}),
    now: () => told('now', start),
    cursorSecret: () => told('cursorSecret', 'secret'),
    logBytes: () => told('logBytes', null),
    check: () => told('check', undefined),
    close: () => told('close', undefined),
  };
}

function cut<Row, Position>(
  sorted: readonly Row[],
  request: PageRequest<Position>,
  positionOf: (row: Row) => Position,
): Page<Row, Position> {
  const after = JSON.stringify(request.after);
  const from = sorted.findIndex((row) => JSON.stringify(positionOf(row)) === after) + 1;
  const items = sorted.slice(from, from + request.first);
  return {
    items: items.map((node) => ({ node, position: positionOf(node) })),
    hasNext: from + request.first < sorted.length,
    total: sorted.length,
  };
}
