import type { BusinessJobId, CallerName } from '../../domain/ids.ts';
import { type Attempt, isFinal } from '../../domain/orders/attempt.ts';
import type { Deps } from '../deps.ts';
import { type Batch, follow } from '../follow.ts';

/** The attempt now, then as it was at each event, none left out; ends when it is final. Null: the caller has no such job. */
export async function followAttempt(
  deps: Deps,
  caller: CallerName,
  businessJobId: BusinessJobId,
): Promise<AsyncIterableIterator<Attempt> | null> {
  const known = await deps.store.attempts.find(caller, businessJobId);
  if (known === null) return null;
  const { id } = known.attempt;
  let version: number | null = null;
  const read = async (): Promise<Batch<Attempt>> => {
    // The events first: what is shown beside an event must not be older than it.
    const events = version === null ? [] : await deps.store.attempts.events(id, version);
    const last = events.at(-1);
    if (version !== null && last === undefined) return { items: [], hasMore: false, done: false };
    const found = await deps.store.attempts.find(caller, businessJobId);
    if (found === null) return { items: [], hasMore: false, done: true };
    const { attempt } = found;
    if (last === undefined) {
      version = attempt.version;
      return { items: [attempt], hasMore: true, done: isFinal(attempt.state) };
    }
    version = last.version;
    const items = events.map(({ state, reason, sends, nextAttemptAt, version: at }) => ({
      ...attempt,
      state,
      reason,
      sends,
      nextAttemptAt,
      version: at,
    }));
    return { items, hasMore: true, done: isFinal(last.state) };
  };
  return follow(deps.wake, [`attempt:${id}`], read);
}
