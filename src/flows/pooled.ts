/** Runs `work` over all items, at most `width` at once, in their order. The first failure rejects after all have ended. */
export async function pooled<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const result of lanes) {
    if (result.status === 'rejected') throw result.reason;
  }
}
