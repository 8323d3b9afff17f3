import type { Parsed } from '../kernel/reply.ts';
import { type Answer, failure } from './answer.ts';
import type { CallContext, SupplierBook, WriteRefusal, WriteResult } from './book.ts';
import { parseBulkDelivery, parseDelivery, parseFilter, parseLease, parsePull } from './parse.ts';
import { shownJson } from './shape.ts';

/** The five operations; `order` is the one that the path names. */
export type Operation =
  | { readonly kind: 'orders' }
  | { readonly kind: 'orders-pull' }
  | { readonly kind: 'last-process-time'; readonly order: string }
  | { readonly kind: 'orders-update' }
  | { readonly kind: 'accounts-bulk'; readonly order: string };

/** An operation whose input is read: what is left is to do it. `delivers` is the order that it delivers on. */
export type Work = {
  readonly delivers: string | null;
  readonly run: (context: CallContext) => Answer;
};

/** The operation that a method and a path below the base path name; null where there is none. */
export function findOperation(method: string, path: string): Operation | null {
  switch (`${method} ${path}`) {
    case 'GET /orders':
      return { kind: 'orders' };
    case 'POST /orders-pull':
      return { kind: 'orders-pull' };
    case 'POST /orders-update':
      return { kind: 'orders-update' };
  }
  const [, id, last] = /^\/orders\/([^/]+)\/([a-z-]+)$/.exec(path) ?? [];
  const order = id === undefined ? null : decodeSegment(id);
  if (order === null) return null;
  if (method === 'PATCH' && last === 'last-process-time') return { kind: 'last-process-time', order };
  if (method === 'POST' && last === 'accounts-bulk') return { kind: 'accounts-bulk', order };
  return null;
}

/** Reads an operation's input. A mistake in it is told before anything is looked up. */
export function readWork(
  operation: Operation,
  query: URLSearchParams,
  body: Uint8Array,
  book: SupplierBook,
): Parsed<Work> {
  switch (operation.kind) {
    case 'orders':
      return toWork(parseFilter(query), null, (filter, { now }) =>
        orderList(book.list(filter, now).map(shownJson)),
      );
    case 'orders-pull':
      return toWork(parsePull(body), null, (limit, context) =>
        orderList(book.pull(limit, context).map(shownJson)),
      );
    case 'last-process-time':
      return toWork(parseLease(body), null, (time, context) =>
        writeReply(book.lease(operation.order, time === 'now' ? context.now : time, context)),
      );
    case 'orders-update': {
      const parsed = parseDelivery(body);
      const order = parsed.kind === 'ok' ? parsed.value.order : null;
      return toWork(parsed, order, (delivery, context) => writeReply(book.deliver(delivery, context)));
    }
    case 'accounts-bulk':
      return toWork(parseBulkDelivery(operation.order, body), operation.order, (delivery, context) =>
        writeReply(book.deliver(delivery, context)),
      );
  }
}

function toWork<T>(
  parsed: Parsed<T>,
  delivers: string | null,
  run: (input: T, context: CallContext) => Answer,
): Parsed<Work> {
  if (parsed.kind === 'wrong') return parsed;
  return { kind: 'ok', value: { delivers, run: (context) => run(parsed.value, context) } };
}

function decodeSegment(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function orderList(orders: readonly unknown[]): Answer {
  return { status: 200, body: { orders } };
}

const refusals: Record<WriteRefusal, { readonly status: number; readonly message: string }> = {
  ORDER_NOT_FOUND: { status: 404, message: 'Order not found' },
  ACCESS_DENIED: { status: 403, message: 'You have no line in this order' },
  PAYMENT_NOT_COMPLETED: { status: 400, message: 'The payment of this order is not completed' },
  INVALID_ACCOUNTS: { status: 400, message: 'No valid accounts provided' },
};

/** Success says nothing about the lines: what was dropped shows in no answer. */
function writeReply(result: WriteResult): Answer {
  if (result.kind === 'done') return { status: 200, body: { success: true } };
  const { status, message } = refusals[result.code];
  return failure(status, result.code, message);
}
