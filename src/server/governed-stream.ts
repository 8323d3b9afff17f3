import type { ExecutionResult } from 'graphql';

/** A subscription's results, which the server can end from outside, whatever its source is waiting for. */
export interface GovernedStream extends AsyncIterableIterator<ExecutionResult> {
  return(): Promise<IteratorResult<ExecutionResult, undefined>>;
  /** Ends the stream now, after `last` where there is one. */
  finish(last?: ExecutionResult): void;
  /** Called once, when the stream has ended for whatever reason; at once where it has. */
  onEnd(listener: () => void): void;
}

/**
 * Wraps the results of a subscription. Not an async generator: while one waits for its source, its return() waits too.
 * `present` makes each result fit to be shown; an error of the source becomes one last result.
 */
export function governStream(
  source: AsyncIterable<ExecutionResult>,
  hooks: {
    present(result: ExecutionResult): ExecutionResult;
    failed(error: unknown): ExecutionResult;
  },
): GovernedStream {
  const iterator = source[Symbol.asyncIterator]();
  const listeners: (() => void)[] = [];
  let isEnded = false;
  let last: ExecutionResult | null = null;
  let release: (() => void) | null = null;
  const over: IteratorReturnResult<undefined> = { value: undefined, done: true };

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    for (const listener of listeners) listener();
    // What the source says about being ended is of no interest to anybody any more.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
    release?.();
  };

  const takeLast = (): IteratorResult<ExecutionResult, undefined> => {
    if (last === null) return over;
    const value = last;
    last = null;
    return { value, done: false };
  };

  const next = async (): Promise<IteratorResult<ExecutionResult, undefined>> => {
    if (isEnded) return takeLast();
    const ended = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    try {
      const step = await Promise.race([iterator.next(), ended]);
      if (step === null || isEnded) return takeLast();
      if (step.done !== true) return { value: hooks.present(step.value), done: false };
      end();
      return over;
    } catch (error) {
      if (isEnded) return takeLast();
      end();
      return { value: hooks.failed(error), done: false };
    } finally {
      release = null;
    }
  };

  return {
    next,
    return() {
      last = null;
      end();
      return Promise.resolve(over);
    },
    throw(error: unknown) {
      last = null;
      end();
      return Promise.reject(error);
    },
    finish(result) {
      if (isEnded) return;
      last = result ?? null;
      end();
    },
    onEnd(listener) {
      if (isEnded) listener();
      else listeners.push(listener);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
