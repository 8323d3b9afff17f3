import type { Inbox, InboxEntry } from '../../ports/store/inbox.ts';
import { toStoredText } from '../stored-text.ts';
import { arrivalsOf } from './arrivals.ts';
import { type Base, time } from './base.ts';
import { createBatcher } from './batcher.ts';
import { command, statement } from './statements.ts';
import { keep, leave } from './transaction.ts';

/** Webhooks of one commit, and commits under way at once: the disk is shared, and connections are left for the rest. */
const BATCH = { most: 128, atOnce: 3 };

const passArrivals = command(
  'select pg_advisory_xact_lock_shared($1::int, part) from unnest($2::int[]) as part',
);
const addMany = statement(
  `insert into inbox (dedupe_key, event, order_id, revision, body, state, received_at, tries, next_try_at)
   select dedupe_key, event, order_id, revision, body, state, ${time(7)}, 0, ${time(7)}
   from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[])
     as new (dedupe_key, event, order_id, revision, body, state)
   on conflict (dedupe_key) do nothing returning dedupe_key`,
  ([key]) => String(key),
);

export function createStoring({ database, at, spaces }: Base): Pick<Inbox, 'insert'> {
  /** In one transaction. Each is stored or not by itself; of equal ones the first is. */
  function insertAll(entries: readonly InboxEntry[]): Promise<readonly ('stored' | 'duplicate')[]> {
    const keys = entries.map(({ dedupeKey }) => toStoredText(dedupeKey));
    // In the order of the keys: two instances that are brought the same webhooks never wait for each other in a circle.
    const sorted = entries
      .map((entry, index) => ({ ...entry, key: keys[index] ?? '' }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const parts = [
      ...new Set(entries.flatMap(({ orderId }) => (orderId === null ? [] : arrivalsOf(orderId)))),
    ];
    return database.write(async (tx) => {
      tx.send(passArrivals, [spaces.arrivals, parts.sort((a, b) => a - b)]);
      const added = await tx.rows(addMany, [
        sorted.map(({ key }) => key),
        sorted.map(({ event }) => toStoredText(event)),
        sorted.map(({ orderId }) => orderId),
        sorted.map(({ revision }) => revision),
        sorted.map(({ body }) => Buffer.from(body)),
        sorted.map(({ rejected }) => (rejected ? 'REJECTED' : 'PENDING')),
        at(),
      ]);
      const fresh = new Set(added);
      const results = entries.map(({ rejected }, index) => {
        const isNew = fresh.delete(keys[index] ?? '');
        // Its own, where an earlier try was committed: both answers mean that it is kept.
        if (!rejected && (isNew || tx.mayBeKept)) tx.wake(['inbox']);
        return isNew ? ('stored' as const) : ('duplicate' as const);
      });
      return added.length === 0 ? leave(results) : keep(() => results);
    });
  }

  const insert = createBatcher(BATCH, insertAll);
  return { insert };
}
