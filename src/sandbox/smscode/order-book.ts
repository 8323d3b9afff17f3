import type { Agenda } from '../kernel/agenda.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Sms } from './messages.ts';
import type { Charge, Money } from './money.ts';
import { hasEvidence, isTerminal, type Order, type OrderEvent, orderSchema } from './order.ts';
import type { Planner } from './plan.ts';
import type { BuyerSettings } from './settings.ts';

/** What an order is made of; the rest follows. */
export type OrderDraft = Pick<
  Order,
  | 'parentId'
  | 'productId'
  | 'catalogProductId'
  | 'operatorId'
  | 'operatorName'
  | 'countryCode'
  | 'country'
  | 'platform'
  | 'provider'
  | 'amount'
> & { /** null: it gets a new one. */ readonly phoneNumber: string | null };

/** All orders and what may happen to them. Who may do what and when is decided by the callers; this moves the state. */
export type OrderBook = {
  get(id: number): Order | undefined;
  /** Oldest first; ids grow. */
  all(): readonly Order[];
  /** ACTIVE and OTP_RECEIVED, oldest first. */
  open(): Iterable<Order>;
  openChildOf(parentId: number): boolean;
  /** Charges the amount and plans what happens by itself. */
  make(draft: OrderDraft, charge: Pick<Charge, 'operation' | 'idempotency_key'>): Order;
  receive(order: Order, sms: Sms): void;
  cancel(order: Order): void;
  finish(order: Order): void;
  resend(order: Order): void;
  /** The window ends now: refunded in the same step, unless an SMS came. */
  expire(order: Order): void;
};

type Parts = {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly journal: Journal;
  readonly money: Money;
  readonly planner: Planner;
  readonly settings: () => BuyerSettings;
  readonly tell: (event: OrderEvent, order: Order) => void;
};

const FIRST_ORDER_ID = 4_410_001;

export function openOrderBook({ clock, agenda, journal, money, planner, settings, tell }: Parts): OrderBook {
  const orders: Order[] = [];
  const byId = new Map<number, Order>();
  const openOrders = new Map<number, Order>();
  const openChildren = new Map<number, number>();
  const numbersInUse = new Set<string>();

  function enter(order: Order): void {
    orders.push(order);
    byId.set(order.id, order);
    if (isTerminal(order)) return;
    openOrders.set(order.id, order);
    if (order.parentId !== null) openChildren.set(order.parentId, order.id);
    if (order.phoneNumber !== null) numbersInUse.add(order.phoneNumber);
    schedule(order);
  }

  function save(order: Order): void {
    journal.put('order', order.id, order);
  }

  function schedule(order: Order): void {
    const { numberAt } = order;
    if (numberAt !== null) agenda.at(numberAt, (due) => assignNumber(order, due));
    for (const sms of order.planned) agenda.at(sms.at, () => receivePlanned(order, sms.at));
    const { expiresAt } = order;
    agenda.at(expiresAt, (due) => {
      // A window that was ended by hand has been dealt with.
      if (order.expiresAt === expiresAt) end(order, due);
    });
  }

  function assignNumber(order: Order, at: number): void {
    if (isTerminal(order) || order.numberAt === null) return;
    order.numberAt = null;
    if (order.phoneNumber === null) {
      order.phoneNumber = planner.phoneNumber(order, (phoneNumber) => numbersInUse.has(phoneNumber));
      numbersInUse.add(order.phoneNumber);
    }
    plan(order, at);
    save(order);
  }

  function plan(order: Order, from: number): void {
    const planned = planner.sms(order, from);
    order.planned.push(...planned);
    for (const sms of planned) agenda.at(sms.at, () => receivePlanned(order, sms.at));
  }

  function receivePlanned(order: Order, at: number): void {
    if (isTerminal(order)) return;
    const sms = order.planned.find((planned) => planned.at === at);
    if (sms === undefined) return;
    order.planned = order.planned.filter((planned) => planned !== sms);
    receive(order, sms, at);
  }

  function receive(order: Order, { message, code }: Sms, at: number): void {
    order.smsRevision++;
    order.otpMessage = message;
    order.otpCode = code ?? order.otpCode;
    order.otpReceivedAt ??= at;
    order.status = 'OTP_RECEIVED';
    save(order);
    tell('order.otp_received', order);
  }

  function close(order: Order, status: 'COMPLETED' | 'CANCELED' | 'EXPIRED'): void {
    order.status = status;
    order.planned = [];
    order.numberAt = null;
    openOrders.delete(order.id);
    if (order.parentId !== null) openChildren.delete(order.parentId);
    if (order.phoneNumber !== null) numbersInUse.delete(order.phoneNumber);
    save(order);
  }

  function end(order: Order, at: number): void {
    if (isTerminal(order)) return;
    if (hasEvidence(order)) {
      close(order, 'COMPLETED');
      tell('order.completed', order);
      return;
    }
    if (order.phoneNumber === null) order.failedReason = 'NoNumbers';
    close(order, 'EXPIRED');
    money.refund({ order_id: order.id, amount: order.amount, reason: 'expired' }, at);
    tell('order.expired', order);
  }

  for (const [, value] of journal.entries('order')) enter(orderSchema.parse(value));
  let nextId = (orders.at(-1)?.id ?? FIRST_ORDER_ID - 1) + 1;

  return {
    get: (id) => byId.get(id),
    all: () => orders,
    open: () => openOrders.values(),
    openChildOf: (parentId) => openChildren.has(parentId),
    make(draft, { operation, idempotency_key }) {
      const now = clock.now();
      const { rental_seconds, minimum_cancel_seconds } = settings();
      const order: Order = {
        ...draft,
        id: nextId++,
        status: 'ACTIVE',
        createdAt: now,
        numberAt: now,
        otpCode: null,
        otpMessage: null,
        smsRevision: 0,
        otpReceivedAt: null,
        expiresAt: now + rental_seconds * 1000,
        canceledAt: null,
        failedReason: null,
        cancelAvailableAt: now + minimum_cancel_seconds * 1000,
        resendAvailableAt: null,
        resends: 0,
        planned: [],
      };
      if (order.phoneNumber === null) order.numberAt = planner.numberAt(order);
      money.charge({ order_id: order.id, amount: order.amount, operation, idempotency_key }, now);
      enter(order);
      save(order);
      if (order.numberAt !== null && order.numberAt <= now) assignNumber(order, now);
      return order;
    },
    receive(order, sms) {
      // A text without a number to send it to would be a thing that cannot be.
      assignNumber(order, clock.now());
      receive(order, sms, clock.now());
    },
    cancel(order) {
      order.canceledAt = clock.now();
      close(order, 'CANCELED');
      money.refund({ order_id: order.id, amount: order.amount, reason: 'canceled' }, clock.now());
      tell('order.canceled', order);
    },
    finish(order) {
      close(order, 'COMPLETED');
      tell('order.completed', order);
    },
    resend(order) {
      const now = clock.now();
      order.status = 'ACTIVE';
      order.resends++;
      order.resendAvailableAt = now + settings().resend_cooldown_seconds * 1000;
      plan(order, now);
      save(order);
    },
    expire(order) {
      order.expiresAt = clock.now();
      end(order, clock.now());
    },
  };
}
