import type { Deps } from '../../src/flows/deps.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Http } from '../../src/upstream/http.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { runWorker, type Worker } from '../../src/workers/loop.ts';
import { countedMetrics } from '../support/counted-metrics.ts';
import { keptLog } from '../support/kept-log.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { refusing } from './full-disk.ts';
import type { Ground, OpenedStore } from './ground.ts';
import { createLife, mortal } from './life.ts';
import type { Player } from './stage.ts';

export interface MachineParts {
  readonly name: string;
  readonly seed: number;
  readonly ground: Pick<Ground, 'open'>;
  readonly clock: Clock;
  readonly wayOut: (isOver: () => boolean) => Http;
  /** The share of its calls that are slow to begin. */
  readonly jitter: number;
  readonly onDeath: (point: string) => void;
}

/** One process of the gateway over the database that all instances share. */
export interface Instance extends Player {
  /** Until it stops failing, each write of the store is refused as by a full disk. */
  fillDisk(isFull: boolean): void;
}

/** What an instance of either side stands on: its life, and what ends with it. */
export async function openMachine(parts: MachineParts) {
  const random = seededRandom(parts.seed);
  let opened: OpenedStore | null = null;
  const life = createLife({
    clock: parts.clock,
    random,
    jitter: parts.jitter,
    onEnd(point) {
      opened?.close();
      parts.onDeath(point);
    },
  });
  const { log, lines } = keptLog();
  const { metrics } = countedMetrics();
  const wake = createInProcessWake((error) => log.error('a listener failed', {}, error));
  opened = await parts.ground.open(wake);
  let isFull = false;
  const store = mortal(
    life,
    'store',
    refusing(opened.store, () => isFull),
  );

  return {
    life,
    random,
    clock: life.clock,
    log,
    metrics,
    wake,
    store,
    http: parts.wayOut(life.isOver),
    /** Sets its workers going. Which of them comes first after a start is nobody's promise. */
    begin(deps: Deps, workers: Worker[]): Instance {
      for (const worker of random.chance(0.5) ? workers : workers.reverse()) runWorker(deps, worker);
      return {
        name: parts.name,
        deps,
        life,
        lines,
        fillDisk(full) {
          isFull = full;
        },
      };
    },
  };
}
