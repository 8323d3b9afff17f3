import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { type GovernedStream, governStream } from '../../src/server/governed-stream.ts';

type Result = { data?: Record<string, unknown>; errors?: GraphQLError[] };

/** A source that is pushed from outside. */
function source() {
  const waiting: ((step: IteratorResult<Result>) => void)[] = [];
  const found = { returns: 0 };
  const push = (step: IteratorResult<Result>): void => waiting.shift()?.(step);
  const iterable: AsyncIterable<Result> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => waiting.push(resolve)),
      // As an async generator would: it ends only after what it waits for.
      return: () => {
        found.returns += 1;
        return new Promise(() => {});
      },
    }),
  };
  return { iterable, push, found };
}

function govern(iterable: AsyncIterable<Result>): { stream: GovernedStream; ends: () => number } {
  let count = 0;
  const stream = governStream(iterable, {
    present: (result) => result,
    failed: (error) => ({ errors: [new GraphQLError(String(error))] }),
  });
  stream.onEnd(() => {
    count += 1;
  });
  return { stream, ends: () => count };
}

test('hands on what comes, and ends with its source', async () => {
  const { iterable, push } = source();
  const { stream, ends } = govern(iterable);
  const first = stream.next();
  push({ value: { data: { n: 1 } }, done: false });
  expect(await first).toEqual({ value: { data: { n: 1 } }, done: false });
  const second = stream.next();
  push({ value: undefined, done: true });
  expect((await second).done).toBe(true);
  expect(ends()).toBe(1);
});

test('ended from outside while its source waits, it says its last word and is done', async () => {
  const { iterable, found } = source();
  const { stream, ends } = govern(iterable);
  const waiting = stream.next();
  stream.finish({ errors: [new GraphQLError('over')] });
  stream.finish({ errors: [new GraphQLError('again')] });
  expect((await waiting).value?.errors?.[0]?.message).toBe('over');
  expect((await stream.next()).done).toBe(true);
  expect([ends(), found.returns]).toEqual([1, 1]);
});

test('its client gone, it ends at once, though the source does not', async () => {
  const { iterable, found } = source();
  const { stream, ends } = govern(iterable);
  const waiting = stream.next();
  expect(await stream.return()).toEqual({ value: undefined, done: true });
  expect((await waiting).done).toBe(true);
  await stream.return();
  expect([ends(), found.returns]).toEqual([1, 1]);
});

test('a source that throws becomes one last result', async () => {
  const { stream, ends } = govern({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }),
  });
  expect((await stream.next()).value?.errors?.[0]?.message).toBe('Error: broken');
  expect((await stream.next()).done).toBe(true);
  expect(ends()).toBe(1);
});

test('whoever listens for an end that has been is told at once', async () => {
  const { stream } = govern(source().iterable);
  stream.finish();
  let isTold = false;
  stream.onEnd(() => {
    isTold = true;
  });
  expect(isTold).toBe(true);
});
