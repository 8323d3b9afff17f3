import type Database from 'better-sqlite3';
import type { Clock } from '../../ports/clock.ts';
import type { Wake } from '../../ports/wake.ts';

/** How late another process's news may be noticed, in milliseconds. One look costs some microseconds. */
const LOOK_EVERY = 250;

/**
 * Wakes everybody when another process has written: SQLite counts other connections' commits, and says nothing of
 * where they were. Returns what ends the watch.
 */
export function watchOthers(
  database: Database.Database,
  clock: Pick<Clock, 'after'>,
  wake: Wake,
): () => void {
  const look = database.prepare<[], unknown>('pragma data_version').pluck();
  let seen = look.get();
  let cancel = clock.after(LOOK_EVERY, onTime);

  function onTime(): void {
    cancel = clock.after(LOOK_EVERY, onTime);
    let now: unknown;
    try {
      now = look.get();
    } catch {
      // A disk that fails for a moment must not end the process from inside of a timer: the next look will tell.
      return;
    }
    if (now === seen) return;
    seen = now;
    wake.announceAll();
  }
  return () => cancel();
}
