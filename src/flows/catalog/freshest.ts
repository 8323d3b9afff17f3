import type { Clock } from '../../ports/clock.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import { createSingleFlight } from '../single-flight.ts';

/**
 * Keeps the last good reading of each key, and reads again when it is older than asked for; askers at the same time
 * share one call. Holds at most `mostKept` keys, the longest unread dropped first. A failed reading is not kept.
 */
export function createFreshest<Key, Value>(
  clock: Clock,
  mostKept: number,
): (key: Key, maxAge: number, read: () => Promise<ReadReply<Value>>) => Promise<ReadReply<Value>> {
  const kept = new Map<Key, Extract<ReadReply<Value>, { kind: 'read' }>>();
  const share = createSingleFlight<Key, ReadReply<Value>>();
  return async (key, maxAge, read) => {
    const found = kept.get(key);
    const age = found === undefined ? Number.POSITIVE_INFINITY : clock.now() - found.readAt;
    if (found !== undefined && age >= 0 && age <= maxAge) {
      kept.delete(key);
      kept.set(key, found);
      return found;
    }
    return share(key, async () => {
      const reply = await read();
      if (reply.kind === 'read') {
        kept.delete(key);
        kept.set(key, reply);
        const oldest = kept.keys().next();
        if (kept.size > mostKept && oldest.done !== true) kept.delete(oldest.value);
      }
      return reply;
    });
  };
}
