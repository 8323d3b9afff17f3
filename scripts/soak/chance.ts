/** Chance by a seed, so that a run can be told by its number. Mulberry32: short, and good enough to choose by. */
export interface Chance {
  /** From 0 on, below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  one<Item>(items: readonly [Item, ...Item[]]): Item;
  happens(probability: number): boolean;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    one: ([first, ...rest]) => [first, ...rest][Math.floor(next() * (rest.length + 1))] ?? first,
    happens: (probability) => next() < probability,
  };
}
