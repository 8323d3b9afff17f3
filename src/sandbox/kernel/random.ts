/** A seeded stream: the same seed and path give the same values on every machine. */
export type Random = {
  /** At least 0, below 1. */
  fraction(): number;
  /** Whole, both ends included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `length` characters of `alphabet`. */
  text(length: number, alphabet: string): string;
};

/**
 * The stream named by `path` under `seed`. One stream per thing (an order, a tier) instead of one for the world:
 * what a thing looks like then depends neither on what happened before it nor on a restart.
 */
export function randomFrom(seed: number, ...path: readonly (string | number)[]): Random {
  let state = hash(`${seed}/${path.join('/')}`);

  // mulberry32
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function integer(low: number, high: number): number {
    return low + Math.floor(fraction() * (high - low + 1));
  }
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick(list) {
      const item = list[integer(0, list.length - 1)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    text(length, alphabet) {
      let out = '';
      for (let at = 0; at < length; at++) out += alphabet.charAt(integer(0, alphabet.length - 1));
      return out;
    },
  };
}

/** FNV-1a with a final mix: neighbouring paths must not give neighbouring streams. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
