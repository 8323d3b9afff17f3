import { describe, expect, it } from 'vitest';
import { type Batch, follow } from '../../../src/flows/follow.ts';
import type { Wake } from '../../../src/ports/wake.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { settled } from '../../support/fake-clock.ts';

/** Wakes, and how many listen. */
function countedWake(): Wake & { listeners(): number } {
  const wake = createInProcessWake(() => undefined);
  let listeners = 0;
  return {
    ...wake,
    listen(keys, listener) {
      const unlisten = wake.listen(keys, listener);
      listeners += 1;
      let isOver = false;
      return () => {
        if (!isOver) listeners -= 1;
        isOver = true;
        unlisten();
      };
    },
    listeners: () => listeners,
  };
}

/** A list that a follower reads behind its cursor, three at once. */
function rows(wake: Wake) {
  const list: number[] = [];
  let cursor = 0;
  let reads = 0;
  let isOver = false;
  return {
    add(...more: readonly number[]) {
      list.push(...more);
      wake.announce(['inbox']);
    },
    end() {
      isOver = true;
      wake.announce(['inbox']);
    },
    reads: () => reads,
    async read(): Promise<Batch<number>> {
      reads += 1;
      const items = list.slice(cursor, cursor + 3);
      cursor += items.length;
      return { items, hasMore: items.length === 3, done: isOver && cursor === list.length };
    },
  };
}

async function taken<Item>(items: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const found: Item[] = [];
  while (found.length < count) {
    const next = await items.next();
    if (next.done === true) break;
    found.push(next.value);
  }
  return found;
}

/** What it comes to by then; `waiting` where it is not settled. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = 'waiting';
  promise.then(
    (value) => {
      state = value;
    },
    (error: unknown) => {
      state = error;
    },
  );
  await settled();
  return state;
}

describe('a follower', () => {
  it('hands out what is there, then what comes, each once and in order', async () => {
    const wake = countedWake();
    const source = rows(wake);
    source.add(1, 2, 3, 4, 5, 6, 7);
    const items = follow(wake, ['inbox'], source.read);
    expect(await taken(items, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const next = items.next();
    expect(await stateOf(next)).toBe('waiting');
    source.add(8);
    expect(await next).toEqual({ value: 8, done: false });
  });

  it('misses nothing that comes between its subscribing and its first reading', async () => {
    const wake = countedWake();
    const source = rows(wake);
    const items = follow(wake, ['inbox'], source.read);
    source.add(1);
    expect(await taken(items, 1)).toEqual([1]);
    source.add(2);
    expect(await taken(items, 1)).toEqual([2]);
  });

  it('misses nothing that comes while it reads', async () => {
    const wake = countedWake();
    const source = rows(wake);
    let isFirst = true;
    const items = follow(wake, ['inbox'], async () => {
      const batch = await source.read();
      // Behind the reading, before its result: a wake that comes too early for the waiting.
      if (isFirst) source.add(1);
      isFirst = false;
      return batch;
    });
    expect(await taken(items, 1)).toEqual([1]);
  });

  it('hands out all of 1,500 that come in one turn', async () => {
    const wake = countedWake();
    const source = rows(wake);
    const items = follow(wake, ['inbox'], source.read);
    const first = items.next();
    await settled();
    const burst = Array.from({ length: 1_500 }, (_, n) => n);
    for (const n of burst) source.add(n);
    expect([await first.then(({ value }) => value), ...(await taken(items, 1_499))]).toEqual(burst);
  });

  it('reads nothing for a client that does not ask, however often it is woken', async () => {
    const wake = countedWake();
    const source = rows(wake);
    const items = follow(wake, ['inbox'], source.read);
    source.add(1, 2, 3, 4);
    await taken(items, 1);
    const { length } = Array.from({ length: 100 }, () => source.add(9));
    await settled();
    expect([length, source.reads()]).toEqual([100, 1]);
  });

  it('answers in order a client that asks ahead', async () => {
    const wake = countedWake();
    const source = rows(wake);
    const items = follow(wake, ['inbox'], source.read);
    const asked = [items.next(), items.next(), items.next()];
    await settled();
    source.add(1);
    source.add(2, 3);
    expect(await Promise.all(asked)).toEqual([1, 2, 3].map((value) => ({ value, done: false })));
  });

  it('ends after its last items, and listens no more', async () => {
    const wake = countedWake();
    const source = rows(wake);
    source.add(1, 2);
    source.end();
    const items = follow(wake, ['inbox'], source.read);
    const found: number[] = [];
    for await (const item of items) found.push(item);
    expect(found).toEqual([1, 2]);
    expect(await items.next()).toEqual({ value: undefined, done: true });
    expect(wake.listeners()).toBe(0);
  });

  it('that is ended while it waits ends at once, and listens no more', async () => {
    const wake = countedWake();
    const source = rows(wake);
    const items = follow(wake, ['inbox'], source.read);
    const waiting = items.next();
    const ahead = items.next();
    await settled();
    expect(await stateOf(Promise.resolve(items.return?.()))).toEqual({ value: undefined, done: true });
    expect(await stateOf(waiting)).toEqual({ value: undefined, done: true });
    expect(await stateOf(ahead)).toEqual({ value: undefined, done: true });
    expect(wake.listeners()).toBe(0);
    source.add(1);
    expect(await items.next()).toEqual({ value: undefined, done: true });
  });

  it('that is ended while it reads ends at once, and drops what it reads', async () => {
    const wake = countedWake();
    let answer: (batch: Batch<number>) => void = () => undefined;
    const items = follow(
      wake,
      ['inbox'],
      () =>
        new Promise<Batch<number>>((resolve) => {
          answer = resolve;
        }),
    );
    const waiting = items.next();
    await settled();
    expect(await stateOf(Promise.resolve(items.return?.()))).toEqual({ value: undefined, done: true });
    expect(wake.listeners()).toBe(0);
    answer({ items: [1], hasMore: false, done: false });
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  it('that was never asked can be ended', async () => {
    const wake = countedWake();
    const items = follow(wake, ['inbox'], rows(wake).read);
    expect(wake.listeners()).toBe(1);
    await items.return?.();
    expect(wake.listeners()).toBe(0);
  });

  it('whose reading fails tells it once, and ends', async () => {
    const wake = countedWake();
    const items = follow(wake, ['inbox'], () => Promise.reject(new Error('the database is away')));
    const [first, second] = [items.next(), items.next()];
    await expect(first).rejects.toThrow('the database is away');
    expect(await second).toEqual({ value: undefined, done: true });
    expect(wake.listeners()).toBe(0);
  });

  it('that is told of an error rejects with it, and ends', async () => {
    const wake = countedWake();
    const items = follow(wake, ['inbox'], rows(wake).read);
    await expect(items.throw?.(new Error('gone'))).rejects.toThrow('gone');
    expect(await items.next()).toEqual({ value: undefined, done: true });
    expect(wake.listeners()).toBe(0);
  });

  it('leaves a loop that breaks off without a listener', async () => {
    const wake = countedWake();
    const source = rows(wake);
    source.add(1, 2, 3);
    for await (const item of follow(wake, ['inbox'], source.read)) if (item === 2) break;
    expect(wake.listeners()).toBe(0);
  });
});
