interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  /** The most items of one batch. */
  readonly most: number;
  /** The most batches under way at once. What comes meanwhile waits, and makes the next ones larger. */
  readonly atOnce: number;
}

/**
 * Does in one go what is asked for in one turn of the event loop: nobody waits for company, and a crowd waits for one
 * commit. `work` answers in the order of the items; what it throws, all of its batch get.
 */
export function createBatcher<Item, Result>(
  { most, atOnce }: BatchOptions,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(flush);
  }

  function flush(): void {
    isPlanned = false;
    while (waiting.length > 0 && underWay < atOnce) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      void run(batch);
    }
  }

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    underWay += 1;
    try {
      const results = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('a batch was answered in part'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      if (waiting.length > 0) plan();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < atOnce) plan();
    });
}
