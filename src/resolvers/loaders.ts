import DataLoader from 'dataloader';
import type { Visibility } from '../domain/access.ts';
import type { OrderId } from '../domain/ids.ts';
import type { SmsRevision } from '../domain/sms/accept.ts';
import type { Deps } from '../flows/deps.ts';
import type { Loader, Loaders } from '../schema/context.ts';

/** Below what a database takes as parameters of one statement, by far. */
const MOST_AT_ONCE = 500;

export function createLoaders(store: Deps['store'], visibility: Visibility): Loaders {
  return {
    orders: batched(async (ids) => byId(await store.orders.byIds(visibility, ids))),
    attempts: batched(async (ids) => byId(await store.attempts.byIds(visibility, ids))),
    messages: batched(async (ids) => {
      const found = await store.orders.messagesOf(visibility, ids);
      const rising = found.toSorted((a, b) => a.revision - b.revision);
      const ofOrder = new Map<OrderId, SmsRevision[]>(ids.map((id) => [id, []]));
      for (const message of rising) ofOrder.get(message.orderId)?.push(message);
      return (id): readonly SmsRevision[] => ofOrder.get(id) ?? [];
    }),
    deliveries: batched(async (ids) => {
      const found = await store.supplier.deliveries(ids);
      return (id) => found.filter(({ orderId }) => orderId === id);
    }),
    seenProducts: batched(async (ids) => byId(await store.seenProducts.byIds(ids))),
  };
}

function byId<Id, Row extends { readonly id: Id }>(rows: readonly Row[]): (id: Id) => Row | null {
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => found.get(id) ?? null;
}

function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
): Loader<Key, Value> {
  // Made when asked for: most operations load nothing of most kinds.
  let loader: DataLoader<Key, Value> | null = null;
  return {
    load(key) {
      loader ??= new DataLoader<Key, Value>(
        async (keys) => {
          const lookUp = await read([...new Set(keys)]);
          return keys.map(lookUp);
        },
        // A subscription's context outlives its events: what is cached for the first would be shown with the last.
        { cache: false, maxBatchSize: MOST_AT_ONCE },
      );
      return loader.load(key);
    },
  };
}
