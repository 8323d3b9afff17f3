import type { Random } from '../../src/ports/random.ts';

/** Chance that comes out the same on every run of the same seed. */
export interface SeededRandom extends Random {
  /** Whole, both ends included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the keys, as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  let tokens = 0;

  // mulberry32
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  function pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(unit() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  return {
    unit,
    token() {
      tokens += 1;
      return `t${seed}-${tokens}`;
    },
    integer: (low, high) => low + Math.floor(unit() * (high - low + 1)),
    chance: (probability) => unit() < probability,
    pick,
    weighted(weights) {
      const names = keysOf(weights);
      let rest = unit() * names.reduce((total, name) => total + weights[name], 0);
      for (const name of names) {
        rest -= weights[name];
        if (rest < 0) return name;
      }
      return pick(names);
    },
  };
}

function keysOf<Name extends string>(record: Readonly<Record<Name, number>>): Name[] {
  return Object.keys(record) as Name[];
}
