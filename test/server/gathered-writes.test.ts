import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { holdForOthers, writeWithOthers } from '../../src/server/gathered-writes.ts';

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

test('a socket that is held keeps the order of what is written to it, its end included', async () => {
  const socket = new PassThrough();
  const seen: string[] = [];
  socket.on('data', (part) => seen.push(String(part)));
  holdForOthers(socket);
  socket.write('one ');
  holdForOthers(socket);
  socket.write('two ');
  expect(seen).toEqual([]);
  socket.end('three');
  await turn();
  await turn();
  expect(seen.join('')).toBe('one two three');
});
