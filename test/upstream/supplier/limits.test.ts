import { describe, expect, it } from 'vitest';
import { later } from '../../../src/domain/time.ts';
import type { SupplierSlots } from '../../../src/ports/store/supplier.ts';
import { type CallKind, createLimits, type Limits } from '../../../src/upstream/supplier/limits.ts';
import { countingRandom, keptLog, type SteppedClock, steppedClock } from '../support/parts.ts';
import { memorySlots, settled } from './support.ts';

function setUp(options: { places?: number; slots?: (clock: SteppedClock) => Partial<SupplierSlots> } = {}) {
  const clock = steppedClock();
  const slots = memorySlots(clock);
  const { log, lines } = keptLog();
  const over = options.slots?.(clock) ?? {};
  const limits = createLimits({
    slots: { ...slots, ...over },
    clock,
    random: countingRandom(),
    log,
    places: options.places ?? 2,
  });
  /** Moves the time on in small steps, and lets happen what falls due. */
  const pass = async (milliseconds: number) => {
    for (let i = 0; i < milliseconds; i += 5) {
      clock.advance(Math.min(5, milliseconds - i));
      await settled();
    }
  };
  return { clock, slots, limits, lines, pass };
}

/** Calls by name; each ends when the test says so. */
function caller(limits: Limits, clock: SteppedClock) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    call(name: string, kind: CallKind, patience = 60_000) {
      return limits.pass(kind, later(clock.now(), patience), () => {
        begun.push(name);
        return new Promise<string>((resolve) => {
          ends.set(name, () => resolve(name));
        });
      });
    },
    async end(name: string) {
      ends.get(name)?.();
      await settled();
    },
  };
}

describe('places', () => {
  it.each([
    [1, 1],
    [2, 2],
    [8, 2],
  ])('%i asked for are %i, all instances together', async (places, most) => {
    const { limits, clock, slots } = setUp({ places });
    const { call, begun, end } = caller(limits, clock);
    const all = ['a', 'b', 'c', 'd'].map((name) => call(name, 'read'));
    await settled();
    expect(begun).toHaveLength(most);
    expect(slots.held()).toBe(most);
    for (const name of ['a', 'b', 'c', 'd']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'].map((value) => ({ kind: 'done', value })));
    expect(slots.held()).toBe(0);
    expect(clock.timers()).toBe(0);
  });

  it('asks the store no more than there are places, however many wait', async () => {
    const { limits, clock, slots } = setUp();
    const { call } = caller(limits, clock);
    for (let i = 0; i < 100; i++) void call(`read-${i}`, 'read');
    await settled();
    expect(slots.asked()).toBe(2);
  });

  it('held by another instance are waited for, by asking ten times a second', async () => {
    const { limits, clock, slots, pass } = setUp();
    const wish = { places: 2, isUpdate: false, spacingMs: 0, leaseMs: 20_000 };
    await slots.take('theirs-1', wish);
    await slots.take('theirs-2', wish);
    const { call, begun } = caller(limits, clock);
    void call('read', 'read');
    await settled();
    await pass(1_000);
    expect(begun).toEqual([]);
    expect(slots.asked()).toBe(2 + 11);
    await slots.giveBack('theirs-1');
    await pass(100);
    expect(begun).toEqual(['read']);
  });

  it('are given back when the work throws', async () => {
    const { limits, clock, slots } = setUp();
    const deadline = later(clock.now(), 100);
    await expect(limits.pass('bulk', deadline, () => Promise.reject(new Error('bug')))).rejects.toThrow(
      'bug',
    );
    expect(slots.held()).toBe(0);
    expect(await limits.pass('bulk', deadline, async () => 1)).toEqual({ kind: 'done', value: 1 });
  });
});

describe('the order', () => {
  it('has deliveries before reads, and who came first before who came later', async () => {
    const { limits, clock, pass } = setUp({ places: 1 });
    const { call, begun, end } = caller(limits, clock);
    const names = ['first', 'read-1', 'read-2', 'bulk-1', 'update-1', 'bulk-2', 'update-2'];
    for (const name of names) {
      void call(name, name.startsWith('update') ? 'update' : name.startsWith('bulk') ? 'bulk' : 'read');
      await pass(1);
    }
    const order = ['first', 'bulk-1', 'update-1', 'bulk-2', 'update-2', 'read-1', 'read-2'];
    for (const name of order) {
      await end(name);
      await pass(250);
    }
    expect(begun).toEqual(order);
  });

  it('lets no stream of deliveries starve a read', async () => {
    const { limits, clock, pass } = setUp({ places: 1 });
    const { call, begun, end } = caller(limits, clock);
    void call('bulk-0', 'bulk');
    void call('read', 'read');
    for (let i = 1; i <= 40 && !begun.includes('read'); i++) {
      void call(`bulk-${i}`, 'bulk');
      await pass(100);
      await end(begun.at(-1) ?? '');
    }
    // bulk-0, the 31 that came within the three seconds of courtesy, and no later one.
    expect(begun).toHaveLength(33);
    expect(begun.at(-1)).toBe('read');
  });

  it('holds no read up because an update has to wait for its time', async () => {
    const { limits, clock, pass } = setUp();
    const { call, begun, end } = caller(limits, clock);
    void call('update-1', 'update');
    void call('update-2', 'update');
    void call('read', 'read');
    await settled();
    expect(begun).toEqual(['update-1', 'read']);
    await end('read');
    await pass(215);
    expect(begun).toEqual(['update-1', 'read']);
    await pass(5);
    expect(begun).toEqual(['update-1', 'read', 'update-2']);
  });
});

describe('updates', () => {
  it('are 220 ms apart from when the last one was sent, though the store counts from earlier', async () => {
    const { limits, clock, pass, slots } = setUp({
      // The grant takes its time, and what the store counts from has passed when the update leaves.
      slots: (steps) => {
        const inner = memorySlots(steps);
        let first = true;
        return {
          take: async (token, wish) => {
            const grant = await inner.take(token, wish);
            if (first) steps.advance(80);
            first = false;
            return grant;
          },
          giveBack: inner.giveBack,
        };
      },
    });
    expect(slots.asked()).toBe(0);
    const { call, begun } = caller(limits, clock);
    void call('update-1', 'update');
    void call('update-2', 'update');
    await settled();
    expect(begun).toEqual(['update-1']);
    await pass(215);
    expect(begun).toEqual(['update-1']);
    await pass(5);
    expect(begun).toEqual(['update-1', 'update-2']);
  });

  it('are spaced over instances, and other calls are not', async () => {
    const { limits, clock, pass, slots } = setUp();
    await slots.take('theirs', { places: 2, isUpdate: true, spacingMs: 210, leaseMs: 20_000 });
    await slots.giveBack('theirs');
    const { call, begun, end } = caller(limits, clock);
    void call('update', 'update');
    await settled();
    void call('bulk', 'bulk');
    void call('read', 'read');
    await settled();
    expect(begun).toEqual(['bulk', 'read']);
    await end('bulk');
    await pass(215);
    expect(begun).toHaveLength(2);
    await pass(5);
    expect(begun).toEqual(['bulk', 'read', 'update']);
  });

  it('go on when the clock is set back', async () => {
    const { limits, clock, pass, slots } = setUp();
    const { call, begun, end } = caller(limits, clock);
    void call('update-1', 'update');
    await settled();
    await end('update-1');
    clock.advance(-3_600_000);
    // The store has a clock of its own.
    slots.take = async () => ({ kind: 'granted' });
    void call('read', 'read');
    await pass(5);
    expect(begun).toEqual(['update-1', 'read']);
  });
});

describe('giving up', () => {
  it('at the deadline begins nothing, and leaves no timer behind', async () => {
    const { limits, clock, pass, slots } = setUp({ places: 1 });
    const { call, begun, end } = caller(limits, clock);
    void call('first', 'read');
    const abandoned = call('second', 'update', 100);
    const patient = call('third', 'read');
    await pass(100);
    expect(await abandoned).toEqual({ kind: 'timed-out' });
    expect(await call('late', 'update', 0)).toEqual({ kind: 'timed-out' });
    await end('first');
    await end('third');
    expect(await patient).toEqual({ kind: 'done', value: 'third' });
    expect(begun).toEqual(['first', 'third']);
    expect(slots.held()).toBe(0);
    expect(clock.timers()).toBe(0);
  });

  it('while the store is asked gives the granted place back', async () => {
    let answer = () => {};
    const { limits, clock, slots } = setUp({
      slots: (steps) => {
        const inner = memorySlots(steps);
        return {
          take: async (token, wish) => {
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
            return inner.take(token, wish);
          },
          giveBack: async (token) => {
            given.push(token);
            await inner.giveBack(token);
          },
        };
      },
    });
    const given: string[] = [];
    expect(slots.held()).toBe(0);
    const { call, begun } = caller(limits, clock);
    const abandoned = call('read', 'read', 100);
    clock.advance(100);
    expect(await abandoned).toEqual({ kind: 'timed-out' });
    answer();
    await settled();
    expect(begun).toEqual([]);
    expect(given).toHaveLength(1);
  });
});

describe('a store in trouble', () => {
  it('is asked again after a second, and its unheard grant given back', async () => {
    let broken = true;
    const given: string[] = [];
    const { limits, clock, pass, lines } = setUp({
      slots: () => ({
        take: async () => {
          if (broken) throw new Error('database is away');
          return { kind: 'granted' };
        },
        giveBack: async (token) => {
          given.push(token);
        },
      }),
    });
    const { call, begun } = caller(limits, clock);
    void call('bulk', 'bulk');
    await settled();
    await pass(2_500);
    expect(begun).toEqual([]);
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
    expect(given).toHaveLength(3);
    broken = false;
    await pass(500);
    expect(begun).toEqual(['bulk']);
  });

  it('that cannot take a place back costs no answer', async () => {
    const { limits, clock, lines } = setUp({
      slots: () => ({ giveBack: () => Promise.reject(new Error('database is away')) }),
    });
    expect(await limits.pass('update', later(clock.now(), 100), async () => 'accepted')).toEqual({
      kind: 'done',
      value: 'accepted',
    });
    expect(lines).toMatchObject([{ level: 'error' }]);
  });
});
