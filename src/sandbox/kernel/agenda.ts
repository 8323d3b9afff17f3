import type { Clock, Timer } from './clock.ts';

/**
 * Everything planned, in one queue under one timer of the clock. `run` gets the moment it was due, which after a
 * pause or a restart lies in the past: things then happen in their right order and with their right times.
 */
export type Agenda = {
  at(due: number, run: (due: number) => void): Timer;
  /** Runs what is due by now. Called before anything is read, so that no answer shows a state that is over. */
  runDue(): void;
  stop(): void;
};

type Item = { due: number; order: number; run: ((due: number) => void) | null };

/** `settled` is called after each thing run: the place to write the journal. */
export function createAgenda(clock: Clock, settled: () => void): Agenda {
  const heap: Item[] = [];
  let sequence = 0;
  let timer: Timer | null = null;
  let timerDue = Number.POSITIVE_INFINITY;
  let running = false;
  let stopped = false;

  function arm(): void {
    const next = heap[0];
    if (stopped || running || next === undefined || next.due >= timerDue) return;
    timer?.cancel();
    timerDue = next.due;
    timer = clock.after(Math.max(0, next.due - clock.now()), () => {
      timer = null;
      timerDue = Number.POSITIVE_INFINITY;
      runDue();
    });
  }

  function runDue(): void {
    if (running || stopped) return;
    running = true;
    try {
      for (let next = heap[0]; next !== undefined && next.due <= clock.now(); next = heap[0]) {
        removeFirst(heap);
        if (next.run === null) continue;
        next.run(next.due);
        settled();
      }
    } finally {
      running = false;
      arm();
    }
  }

  return {
    at(due, run) {
      const item: Item = { due, order: sequence++, run };
      insert(heap, item);
      arm();
      return {
        cancel: () => {
          item.run = null;
        },
      };
    },
    runDue,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

function before(one: Item, other: Item): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}

function insert(heap: Item[], item: Item): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = heap[parentAt];
    if (parent === undefined || !before(item, parent)) break;
    heap[at] = parent;
    at = parentAt;
  }
  heap[at] = item;
}

function removeFirst(heap: Item[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const child = right !== undefined && left !== undefined && before(right, left) ? right : left;
    if (child === undefined || !before(child, last)) break;
    heap[at] = child;
    at = child === right ? 2 * at + 2 : 2 * at + 1;
  }
  heap[at] = last;
}
