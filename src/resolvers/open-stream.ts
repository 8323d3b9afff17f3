import type { GraphContext } from '../schema/context.ts';

/**
 * A stream as it is handed to the client, counted while it is open: exactly once, whichever way it ends. It ends too
 * when the client went away before it was handed over: nobody would ever call its return() then.
 */
export function openStream<Item>(
  context: GraphContext,
  name: string,
  source: AsyncIterableIterator<Item>,
): AsyncIterableIterator<Item> {
  const { signal, deps } = context;
  let isOpen = true;
  deps.metrics.streams(name, 1);

  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    signal?.removeEventListener('abort', abandon);
    deps.metrics.streams(name, -1);
  };
  const end = async (): Promise<IteratorResult<Item, undefined>> => {
    close();
    await source.return?.();
    return { value: undefined, done: true };
  };
  const abandon = (): void => {
    end().catch((error: unknown) => deps.log.error('a stream could not be ended', { stream: name }, error));
  };

  if (signal?.aborted === true) abandon();
  else signal?.addEventListener('abort', abandon, { once: true });

  return {
    async next() {
      try {
        const result = await source.next();
        if (result.done === true) close();
        return result;
      } catch (error) {
        close();
        throw error;
      }
    },
    return: end,
    async throw(error: unknown) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
