import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';

/**
 * Writes down what must not be lost: what was done upstream is done, and a disk that is full for a moment must not make
 * it forgotten. Tries again, ever more seldom, for so many milliseconds, and then rejects as the last try did.
 */
export async function surely<Result>(
  deps: { readonly clock: Clock; readonly log: Log },
  milliseconds: number,
  failure: { readonly message: string; readonly fields: LogFields },
  write: () => Promise<Result>,
): Promise<Result> {
  const giveUpAt = deps.clock.now() + milliseconds;
  for (let wait = SECOND / 4; ; wait = Math.min(wait * 2, 5 * SECOND)) {
    try {
      return await write();
    } catch (error) {
      deps.log.error(failure.message, failure.fields, error);
      if (deps.clock.now() + wait >= giveUpAt) throw error;
      await deps.clock.sleep(wait);
    }
  }
}
