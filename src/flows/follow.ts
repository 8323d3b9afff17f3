import type { Wake, WakeKey } from '../ports/wake.ts';

/** What a follower found behind its cursor. With `done` the stream ends after these items. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  /** More may stand behind these items: it is read on without waiting for a wake. */
  readonly hasMore: boolean;
  readonly done: boolean;
}

/**
 * A stream of rows: read behind the cursor (which `read` keeps and moves), hand out, wait for a wake, read again. It
 * pulls, so a client that stops reading costs one waiting batch and no queue. Not an async generator: while one waits,
 * its return() waits too, and a client gone away would leave it waiting for ever.
 */
export function follow<Item>(
  wake: Wake,
  keys: readonly WakeKey[],
  read: () => Promise<Batch<Item>>,
): AsyncIterableIterator<Item> {
  let waiting: Item[] = [];
  let isWoken = true;
  let isDone = false;
  let signal: (() => void) | null = null;

  const rouse = (): void => {
    isWoken = true;
    signal?.();
  };
  // Subscribe before reading; the cursor drops what both would show.
  const unlisten = wake.listen(keys, rouse);

  const end = (): IteratorReturnResult<undefined> => {
    isDone = true;
    waiting = [];
    unlisten();
    signal?.();
    return { value: undefined, done: true };
  };

  const next = async (): Promise<IteratorResult<Item, undefined>> => {
    for (;;) {
      const item = waiting.shift();
      if (item !== undefined) return { value: item, done: false };
      if (isDone) return end();
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          signal = resolve;
        });
        signal = null;
        continue;
      }
      isWoken = false;
      const batch = await read();
      if (isDone) return end();
      waiting = [...batch.items];
      if (batch.hasMore) isWoken = true;
      if (batch.done) {
        isDone = true;
        unlisten();
      }
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    // One reading at a time, though a consumer may ask ahead.
    next() {
      const turn = last.then(next).catch((error: unknown) => {
        end();
        throw error;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    return() {
      return Promise.resolve(end());
    },
    throw(error: unknown) {
      end();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
