import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeWithOthers } from '../../src/server/gathered-writes.ts';

test('writes of one turn are done together when it is over, in their order, and those they bring about in the next', async () => {
  const done: string[] = [];
  writeWithOthers(() => {
    done.push('one');
    writeWithOthers(() => done.push('three'));
  });
  await Promise.resolve();
  writeWithOthers(() => done.push('two'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['one', 'two']);
  await turn();
  expect(done).toEqual(['one', 'two', 'three']);
});
