import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Wake, WakeKey } from '../ports/wake.ts';

export interface Worker {
  readonly name: string;
  /** What makes it run at once. */
  readonly wokenBy: readonly WakeKey[];
  /** At least so many milliseconds from one round to the next, however often it is woken; a round that asks for more to do is not held up. */
  readonly apart?: number;
  /** Does one round. Returns the milliseconds after which it wants the next; 0: there is more to do now. */
  round(signal: AbortSignal): Promise<number>;
  /** What is left to do after the last round. */
  leave?(): Promise<void>;
}

export interface RunningWorker {
  /** Lets the round under way end, starts none, and lets the worker leave; that it cannot is logged. */
  stop(): Promise<void>;
}

/** After a round that threw: long enough not to storm a database that is away. */
const AFTER_FAILURE = 1_000;
/** However far off the next round is: what a worker waits for may have been brought forward without a wake. */
const LONGEST_WAIT = 60_000;

/** The one timer loop: a round, then a wait for its time or a wake, whichever comes first. A round that throws is logged and tried again. */
export function runWorker(
  deps: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics; readonly wake: Wake },
  worker: Worker,
): RunningWorker {
  const stopping = new AbortController();
  let isWoken = false;
  let rouse: (() => void) | null = null;
  const unlisten = deps.wake.listen(worker.wokenBy, () => {
    isWoken = true;
    rouse?.();
  });

  const waitFor = async (milliseconds: number): Promise<void> => {
    if (isWoken || milliseconds <= 0) return;
    const waiting = new AbortController();
    rouse = () => waiting.abort();
    const onStop = (): void => waiting.abort();
    stopping.signal.addEventListener('abort', onStop, { once: true });
    await deps.clock.sleep(Math.min(milliseconds, LONGEST_WAIT), waiting.signal);
    stopping.signal.removeEventListener('abort', onStop);
    rouse = null;
  };

  /** The clock may have been set back meanwhile: never longer than they are to be apart. */
  const rest = async (startedAt: number): Promise<void> => {
    const { apart = 0 } = worker;
    const left = Math.min(apart, startedAt + apart - deps.clock.now());
    if (left > 0) await deps.clock.sleep(left, stopping.signal);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      isWoken = false;
      const startedAt = deps.clock.now();
      let wait: number;
      try {
        wait = await worker.round(stopping.signal);
      } catch (error) {
        wait = AFTER_FAILURE;
        deps.metrics.workerFailed(worker.name);
        deps.log.error('a worker round failed', { worker: worker.name }, error);
        // A wake must not turn failing rounds into a storm.
        await deps.clock.sleep(wait, stopping.signal);
        continue;
      }
      if (wait > 0) await rest(startedAt);
      if (stopping.signal.aborted) break;
      await waitFor(wait);
    }
  };

  const running = run();
  return {
    async stop() {
      stopping.abort();
      unlisten();
      await running;
      try {
        await worker.leave?.();
      } catch (error) {
        deps.log.error('a worker could not leave', { worker: worker.name }, error);
      }
    },
  };
}
