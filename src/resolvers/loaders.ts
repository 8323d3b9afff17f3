import DataLoader from 'dataloader';
import type { Visibility } from '../domain/access.ts';
import type { OrderId } from '../domain/ids.ts';
import type { SmsRevision } from '../domain/sms/accept.ts';
import type { Deps } from '../flows/deps.ts';
import type { Loader, Loaders } from '../schema/context.ts';

/** Below what a database takes as parameters of one statement, by far. */
const MOST_AT_ONCE = 500;

export function createLoaders(store: Deps['store'], visibility: Visibility): Loaders {
  return new StoreLoaders(store, visibility);
}

/** Each made when asked for: most operations load nothing of most kinds. */
class StoreLoaders implements Loaders {
  readonly #store: Deps['store'];
  readonly #visibility: Visibility;
  #orders: Loaders['orders'] | null = null;
  #attempts: Loaders['attempts'] | null = null;
  #messages: Loaders['messages'] | null = null;
  #deliveries: Loaders['deliveries'] | null = null;
  #seenProducts: Loaders['seenProducts'] | null = null;

  constructor(store: Deps['store'], visibility: Visibility) {
    this.#store = store;
    this.#visibility = visibility;
  }

  get orders(): Loaders['orders'] {
    this.#orders ??= batched(async (ids) => byId(await this.#store.orders.byIds(this.#visibility, ids)));
    return this.#orders;
  }

  get attempts(): Loaders['attempts'] {
    this.#attempts ??= batched(async (ids) => byId(await this.#store.attempts.byIds(this.#visibility, ids)));
    return this.#attempts;
  }

  get messages(): Loaders['messages'] {
    this.#messages ??= batched(async (ids) => {
      const found = await this.#store.orders.messagesOf(this.#visibility, ids);
      const rising = found.toSorted((a, b) => a.revision - b.revision);
      const ofOrder = new Map<OrderId, SmsRevision[]>(ids.map((id) => [id, []]));
      for (const message of rising) ofOrder.get(message.orderId)?.push(message);
      return (id): readonly SmsRevision[] => ofOrder.get(id) ?? [];
    });
    return this.#messages;
  }

  get deliveries(): Loaders['deliveries'] {
    this.#deliveries ??= batched(async (ids) => {
      const found = await this.#store.supplier.deliveries(ids);
      return (id) => found.filter(({ orderId }) => orderId === id);
    });
    return this.#deliveries;
  }

  get seenProducts(): Loaders['seenProducts'] {
    this.#seenProducts ??= batched(async (ids) => byId(await this.#store.seenProducts.byIds(ids)));
    return this.#seenProducts;
  }
}

function byId<Id, Row extends { readonly id: Id }>(rows: readonly Row[]): (id: Id) => Row | null {
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => found.get(id) ?? null;
}

function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
): Loader<Key, Value> {
  const loader = new DataLoader<Key, Value>(
    async (keys) => {
      const lookUp = await read([...new Set(keys)]);
      return keys.map(lookUp);
    },
    // A subscription's context outlives its events: what is cached for the first would be shown with the last.
    { cache: false, maxBatchSize: MOST_AT_ONCE },
  );
  return { load: (key) => loader.load(key) };
}
