import type { Clock } from '../kernel/clock.ts';
import { type Answer, done, invalid, refused, tooMany } from './answer.ts';
import type { Money } from './money.ts';
import { compact, hasEvidence, isTerminal, type Order, type OrderView, summary } from './order.ts';
import type { OrderBook } from './order-book.ts';
import { queryClamped, type Read, readObject, readOrderId, readPathId } from './requests.ts';
import type { BuyerSettings } from './settings.ts';

export type OrderOperations = {
  list(query: URLSearchParams): Answer;
  active(): Answer;
  one(id: string): Answer;
  cancel(body: Uint8Array): Answer;
  finish(body: Uint8Array): Answer;
  resend(body: Uint8Array): Answer;
};

type Parts = {
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly money: Money;
  readonly settings: () => BuyerSettings;
  readonly flags: (order: Order) => OrderView;
};

const STATUSES = ['ACTIVE', 'OTP_RECEIVED', 'COMPLETED', 'CANCELED', 'EXPIRED'];
const DAY_MS = 24 * 3600 * 1000;

const NO_ORDER = refused('NOT_FOUND', 'No such order');
const WRONG_STATE = refused('CONFLICT', 'The order is not in a state for this');

/** Reads of orders, and what one may do to an order without being charged (reference, 6 and 7). */
export function createOrderOperations({ clock, book, money, settings, flags }: Parts): OrderOperations {
  let canceledToday = { day: today(), count: countCanceled(today()) };

  function today(): number {
    return Math.floor(clock.now() / DAY_MS);
  }

  function countCanceled(day: number): number {
    return book
      .all()
      .filter(({ canceledAt }) => canceledAt !== null && Math.floor(canceledAt / DAY_MS) === day).length;
  }

  function named(body: Uint8Array): Read<Order> {
    const object = readObject(body);
    if (object.kind === 'refused') return object;
    const id = readOrderId(object.value);
    if (id.kind === 'refused') return id;
    const order = book.get(id.value);
    return order === undefined ? NO_ORDER : { kind: 'ok', value: order };
  }

  /** The daily cap on cancels, by the UTC day. */
  function countCancel(): Answer | null {
    if (canceledToday.day !== today()) canceledToday = { day: today(), count: 0 };
    const limit = settings().cancels_per_day;
    if (limit !== null && canceledToday.count >= limit) {
      const left = Math.ceil(((today() + 1) * DAY_MS - clock.now()) / 1000);
      return tooMany(left, 'No more cancels today');
    }
    canceledToday.count++;
    return null;
  }

  return {
    list(query) {
      const limit = queryClamped(query, 'limit', { from: 1, to: 100, otherwise: 20 });
      if (limit.kind === 'refused') return limit;
      const offset = queryClamped(query, 'offset', { from: 0, to: Number.MAX_SAFE_INTEGER, otherwise: 0 });
      if (offset.kind === 'refused') return offset;
      const status = query.get('status')?.toUpperCase() ?? null;
      if (status !== null && !STATUSES.includes(status)) return invalid('status', 'is none of the five');
      const fitting = status === null ? book.all() : book.all().filter((order) => order.status === status);
      const end = Math.max(0, fitting.length - offset.value);
      const page = fitting.slice(Math.max(0, end - limit.value), end).reverse();
      return done(page.map((order) => summary(order, flags(order))));
    },
    active() {
      const open = [...book.open()].reverse();
      return { kind: 'done', data: open.map((order) => compact(order, flags(order))), long: true };
    },
    one(id) {
      const order = book.get(readPathId(id) ?? -1);
      return order === undefined ? NO_ORDER : done(summary(order, flags(order)));
    },
    cancel(body) {
      const order = named(body);
      if (order.kind === 'refused') return order;
      if (isTerminal(order.value) || hasEvidence(order.value)) return WRONG_STATE;
      if (clock.now() < order.value.cancelAvailableAt) {
        return refused('CANCEL_TOO_EARLY', 'The cancel window has not opened');
      }
      const capped = countCancel();
      if (capped !== null) return capped;
      book.cancel(order.value);
      return done({
        order_id: order.value.id,
        status: order.value.status,
        refund_amount: order.value.amount,
        new_balance: money.balance(),
      });
    },
    finish(body) {
      const order = named(body);
      if (order.kind === 'refused') return order;
      if (isTerminal(order.value) || !hasEvidence(order.value)) return WRONG_STATE;
      book.finish(order.value);
      return done({ order_id: order.value.id, status: order.value.status });
    },
    resend(body) {
      const order = named(body);
      if (order.kind === 'refused') return order;
      if (flags(order.value)['can_resend'] !== true) return WRONG_STATE;
      book.resend(order.value);
      return done({ order_id: order.value.id, status: order.value.status, resent: true });
    },
  };
}
