import type { Store } from '../../../../src/ports/store/store.ts';
import { anyOrder, ofAll } from '../../../conformance/support/values.ts';

/** All that a store can tell: a row that cannot be read any more makes it fail. */
export async function readEverything(store: Store) {
  const everything = { first: 1_000, after: null };
  const attempts = (await store.attempts.page(ofAll, null, everything)).items.map(({ node }) => node);
  const orders = (await store.orders.page(ofAll, anyOrder, everything)).items.map(({ node }) => node);
  const ids = orders.map(({ id }) => id);
  const flat = async <Row>(parts: readonly Promise<readonly Row[]>[]) => (await Promise.all(parts)).flat();
  return {
    attempts,
    orders,
    events: await flat(attempts.map(({ id }) => store.attempts.events(id, 0))),
    changes: await flat(ids.map((id) => store.orders.changes(ofAll, id, 0))),
    messages: await store.orders.messagesAfter(ofAll, 0, 1_000),
    outcomes: (await Promise.all(ids.map((id) => store.actions.outcome(id, 'CANCEL')))).filter(
      (one) => one !== null,
    ),
    budgets: await Promise.all(attempts.map(({ caller }) => store.budgets.find(caller))),
    inbox: await store.inbox.pending(1_000),
    keys: await store.keys.list(),
    balances: await store.balances.after(0),
    products: await store.seenProducts.byIds(orders.flatMap(({ productId }) => productId ?? [])),
  };
}
