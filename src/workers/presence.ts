import { SECOND } from '../domain/time.ts';
import type { Places } from '../ports/places.ts';
import type { Random } from '../ports/random.ts';
import type { Presence } from '../ports/store/presence.ts';
import type { Worker } from './loop.ts';

const BEATS_EVERY = 5 * SECOND;
/** Two beats may fail before an instance is counted out, and its share goes to the others. */
const LEASE = 15 * SECOND;
const UNKNOWN = Number.POSITIVE_INFINITY;

/** Tells the other instances that this one is, and shares the upstream's places with them. */
export function presence(
  deps: { readonly store: { readonly presence: Presence }; readonly random: Random },
  places: Places,
): Worker {
  const token = deps.random.token();
  let isKnown = false;
  return {
    name: 'presence',
    wokenBy: [],
    async round() {
      const instances = await deps.store.presence.beat(token, LEASE);
      // The others still hold the share of a newcomer until their next beat: until then it makes do with one place.
      places.shareAmong(isKnown || instances === 1 ? instances : UNKNOWN);
      isKnown = true;
      return BEATS_EVERY;
    },
    leave: () => deps.store.presence.leave(token),
  };
}
