import { describe, expect, it } from 'vitest';
import { later } from '../../src/domain/time.ts';
import { createGate } from '../../src/upstream/gate.ts';
import { steppedClock } from './support/parts.ts';

/** A piece of work that ends when the test says so. */
function work(name: string, begun: string[]) {
  let end = () => {};
  const ended = new Promise<string>((resolve) => {
    end = () => resolve(name);
  });
  return {
    run: () => {
      begun.push(name);
      return ended;
    },
    end: () => end(),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the gate', () => {
  it('lets so many through at once, the urgent first and in the order of their coming', async () => {
    const clock = steppedClock();
    const gate = createGate(2, clock);
    const deadline = later(clock.now(), 1_000);
    const begun: string[] = [];
    const names = ['read-1', 'read-2', 'read-3', 'paid-1', 'read-4', 'paid-2'];
    const works = names.map((name) => work(name, begun));
    const results = works.map((each, i) =>
      gate.pass(names[i]?.startsWith('paid') === true, deadline, each.run),
    );
    await settled();
    expect(begun).toEqual(['read-1', 'read-2']);
    for (const each of works) {
      each.end();
      await settled();
    }
    expect(begun).toEqual(['read-1', 'read-2', 'paid-1', 'paid-2', 'read-3', 'read-4']);
    expect(await Promise.all(results)).toEqual(names.map((value) => ({ kind: 'done', value })));
    expect(clock.timers()).toBe(0);
  });

  it('gives up a waiter at its deadline, which then takes no place from those behind it', async () => {
    const clock = steppedClock();
    const gate = createGate(1, clock);
    const begun: string[] = [];
    const first = work('first', begun);
    const second = work('second', begun);
    const third = work('third', begun);
    const running = gate.pass(false, later(clock.now(), 5_000), first.run);
    const abandoned = gate.pass(false, later(clock.now(), 100), second.run);
    const patient = gate.pass(false, later(clock.now(), 5_000), third.run);
    clock.advance(100);
    expect(await abandoned).toEqual({ kind: 'timed-out' });
    first.end();
    await running;
    await settled();
    expect(begun).toEqual(['first', 'third']);
    third.end();
    expect(await patient).toEqual({ kind: 'done', value: 'third' });
    // The place is free again: one more goes straight in.
    expect(await gate.pass(false, later(clock.now(), 100), async () => 'fourth')).toEqual({
      kind: 'done',
      value: 'fourth',
    });
  });

  it('begins nothing at or past the deadline, though a place is free', async () => {
    const clock = steppedClock();
    const begun: string[] = [];
    const late = work('late', begun);
    expect(await createGate(1, clock).pass(true, clock.now(), late.run)).toEqual({ kind: 'timed-out' });
    expect(begun).toEqual([]);
  });

  it('gives the place back when the work throws', async () => {
    const clock = steppedClock();
    const gate = createGate(1, clock);
    const deadline = later(clock.now(), 100);
    await expect(gate.pass(false, deadline, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    expect(await gate.pass(false, deadline, async () => 1)).toEqual({ kind: 'done', value: 1 });
  });

  it('holds its bound under a crowd', async () => {
    const clock = steppedClock();
    const gate = createGate(3, clock);
    let under = 0;
    let most = 0;
    const results = Array.from({ length: 200 }, (_, i) =>
      gate.pass(i % 3 === 0, later(clock.now(), 1_000), async () => {
        most = Math.max(most, ++under);
        await settled();
        under--;
      }),
    );
    await Promise.all(results);
    expect(most).toBe(3);
    expect(under).toBe(0);
  });

  it('holds its share among instances: those under way over it end first, and what waits goes on when it grows', async () => {
    const clock = steppedClock();
    const gate = createGate(4, clock);
    const begun: string[] = [];
    const names = ['1', '2', '3', '4', '5', '6', '7'];
    const works = names.map((name) => work(name, begun));
    const results = works.map(({ run }) => gate.pass(false, later(clock.now(), 1_000), run));
    await settled();
    expect(begun).toEqual(['1', '2', '3', '4']);
    gate.shareAmong(2);
    works[0]?.end();
    works[1]?.end();
    await settled();
    expect(begun).toHaveLength(4);
    works[2]?.end();
    await settled();
    expect(begun).toEqual(['1', '2', '3', '4', '5']);
    gate.shareAmong(1);
    await settled();
    expect(begun).toEqual(names);
    for (const { end } of works) end();
    await Promise.all(results);
  });

  it('keeps one place however many instances there are', async () => {
    const clock = steppedClock();
    const gate = createGate(2, clock);
    gate.shareAmong(50);
    expect(await gate.pass(false, later(clock.now(), 100), async () => 1)).toEqual({
      kind: 'done',
      value: 1,
    });
  });
});
