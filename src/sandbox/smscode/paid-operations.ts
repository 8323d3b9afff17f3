import { randomFrom } from '../kernel/random.ts';
import { type Answer, done, invalid, refused } from './answer.ts';
import type { Catalog } from './catalog/generate.ts';
import type { Stock } from './catalog/stock.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { AbuseGuard } from './limits.ts';
import type { Money } from './money.ts';
import { createdItem, type Order, type OrderView } from './order.ts';
import type { OrderBook } from './order-book.ts';
import {
  type CreateRequest,
  readCreate,
  readKey,
  readObject,
  readPathId,
  readReactivate,
} from './requests.ts';
import type { BuyerSettings } from './settings.ts';
import { choose } from './shopping.ts';

/** A call as the operations need it: `work` is awaited while its key is held (kernel/side.ts). */
export type PaidCall = {
  readonly key: string | undefined;
  readonly body: Uint8Array;
  work(): Promise<void>;
};

export type PaidOperations = {
  create(call: PaidCall): Promise<Answer>;
  reactivate(call: PaidCall): Promise<Answer>;
  reactivateOptions(id: string): Answer;
};

type Parts = {
  readonly catalog: Catalog;
  readonly stock: Stock;
  readonly book: OrderBook;
  readonly money: Money;
  readonly keys: IdempotencyKeys;
  readonly guard: AbuseGuard;
  readonly settings: () => BuyerSettings;
  readonly flags: (order: Order) => OrderView;
  readonly canReactivate: (order: Order) => boolean;
  readonly seed: number;
};

const NO_MONEY = refused('INSUFFICIENT_BALANCE', 'The balance does not cover this');
const NO_ORDER = refused('NOT_FOUND', 'No such order');
const NOT_NOW = refused('CONFLICT', 'That number cannot be reactivated now');

/** The two operations that charge, and the quote for one of them. Checks in the order of reference section 14. */
export function createPaidOperations(parts: Parts): PaidOperations {
  const { catalog, stock, book, money, keys, guard, settings, flags, canReactivate, seed } = parts;
  /** Parents whose reactivation is under way. */
  const settling = new Set<number>();

  function buy(request: CreateRequest, key: string | null): Answer {
    const banned = guard.check();
    if (banned !== null) return banned;
    const answer = order(request, key);
    guard.count(answer.kind === 'refused');
    return answer;
  }

  function order(request: CreateRequest, key: string | null): Answer {
    const choice = choose(request, catalog, stock);
    if (choice.kind === 'refused') return choice;
    const { picks } = choice;
    if (picks.reduce((sum, { price }) => sum + price, 0) > money.balance()) return NO_MONEY;
    const orders = picks.map(({ at, tier, price }) => {
      stock.take(at, 1);
      return book.make(
        {
          parentId: null,
          productId: tier.id,
          catalogProductId: tier.catalogProductId,
          operatorId: tier.operator?.id ?? null,
          operatorName: tier.operator?.name ?? null,
          countryCode: tier.country.code,
          country: tier.country.name,
          platform: tier.service.name,
          provider: tier.provider,
          amount: price,
          phoneNumber: null,
        },
        { operation: 'create', idempotency_key: key },
      );
    });
    return result(orders, request.quantity - orders.length);
  }

  function result(orders: readonly Order[], failedCount: number): Answer {
    return done({ orders: orders.map((made) => createdItem(made, flags(made))), failed_count: failedCount });
  }

  /** The quote and the charge agree, unless the setting changes in between. */
  function cost(parent: Order): number {
    const share = 0.6 + 0.5 * randomFrom(seed, 'quote', parent.id).fraction();
    return settings().reactivation_cost ?? Math.round((parent.amount * share) / 50) * 50;
  }

  function reactivate(parent: Order, maxPrice: number | null, key: string | null): Answer {
    const banned = guard.check();
    if (banned !== null) return banned;
    if (!canReactivate(parent)) return NOT_NOW;
    const amount = cost(parent);
    if (maxPrice !== null && amount > maxPrice)
      return invalid('max_price', 'is below the cost of the moment');
    if (amount > money.balance()) return NO_MONEY;
    const { productId, catalogProductId, operatorId, operatorName } = parent;
    const { countryCode, country, platform, provider, phoneNumber } = parent;
    const place = { productId, catalogProductId, operatorId, operatorName, countryCode, country, platform };
    const child = book.make(
      { ...place, parentId: parent.id, provider, phoneNumber, amount },
      { operation: 'reactivate', idempotency_key: key },
    );
    return result([child], 0);
  }

  return {
    async create({ key: header, body, work }) {
      const key = readKey(header);
      if (key.kind === 'refused') return key;
      const object = readObject(body);
      if (object.kind === 'refused') return object;
      const request = readCreate(object.value);
      if (request.kind === 'refused') return request;
      const ticket = keys.take('create', key.value, JSON.stringify(request.value));
      if (ticket.kind === 'answered') return ticket.answer;
      await work();
      return ticket.settle(buy(request.value, key.value));
    },
    async reactivate({ key: header, body, work }) {
      const key = readKey(header);
      if (key.kind === 'refused') return key;
      const object = readObject(body);
      if (object.kind === 'refused') return object;
      const request = readReactivate(object.value);
      if (request.kind === 'refused') return request;
      const ticket = keys.take('reactivate', key.value, JSON.stringify(request.value));
      if (ticket.kind === 'answered') return ticket.answer;
      const parent = book.get(request.value.id);
      if (parent === undefined) return ticket.settle(NO_ORDER);
      if (settling.has(parent.id)) return ticket.settle(NOT_NOW);
      settling.add(parent.id);
      await work();
      settling.delete(parent.id);
      return ticket.settle(reactivate(parent, request.value.maxPrice, key.value));
    },
    reactivateOptions(id) {
      const parent = book.get(readPathId(id) ?? -1);
      if (parent === undefined) return NO_ORDER;
      if (!canReactivate(parent)) return NOT_NOW;
      return done({ cost: cost(parent) });
    },
  };
}
