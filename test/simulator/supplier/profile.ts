import type { SeededRandom } from '../../support/seeded-random.ts';

/** How hard a history is. */
export interface Profile {
  readonly steps: number;
  /** The share of calls upstream that go wrong. */
  readonly faults: number;
  /** The share of the gateway's own calls that are slow to begin. */
  readonly jitter: number;
  readonly dies: boolean;
  readonly pauses: boolean;
  readonly fillsDisk: boolean;
  /** The automatic puller's interval in milliseconds; null: pulls by hand alone. */
  readonly pullEvery: number | null;
  /** Somebody else works with the same account: takes leases behind the gateway's back. */
  readonly strangers: boolean;
  /** Time passes by minutes, so that leases are renewed. */
  readonly isSlow: boolean;
  /** Each restart opens the database anew. */
  readonly reopens: boolean;
}

export function profileOf(random: SeededRandom): Profile {
  const isSlow = random.chance(0.1);
  return {
    steps: isSlow ? random.integer(6, 12) : random.integer(12, 32),
    faults: random.pick([0, 0, 0.05, 0.2, 0.5]),
    jitter: random.pick([0, 0.05, 0.3]),
    dies: random.chance(0.5),
    pauses: random.chance(0.25),
    fillsDisk: random.chance(0.2),
    pullEvery: random.pick([null, 5_000, 20_000]),
    strangers: random.chance(0.15),
    isSlow,
    reopens: random.chance(0.1),
  };
}

/** Nothing goes wrong in it: then the API has no reason to refuse anything for its limits. */
export function isCalm({ faults, dies, pauses, fillsDisk, strangers }: Profile): boolean {
  return faults === 0 && !dies && !pauses && !fillsDisk && !strangers;
}
