import { type Instant, later, MINUTE, SECOND } from '../domain/time.ts';

/** After so many failures a record is dead: kept, counted, and looked at by a person. */
const MOST_TRIES = 10;

/** When a record that has now failed `tries` times is tried again: after 1 s doubling to 1 min; null: never. */
export function nextTryAt(tries: number, now: Instant): Instant | null {
  if (tries >= MOST_TRIES) return null;
  return later(now, Math.min(SECOND * 2 ** (tries - 1), MINUTE));
}
