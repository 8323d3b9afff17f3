import type { SeededRandom } from '../support/seeded-random.ts';

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
  readonly webhooks: boolean;
  readonly polling: boolean;
  /** Each restart opens the database anew. */
  readonly reopens: boolean;
  /** Two instances from the start. */
  readonly isDouble: boolean;
}

export function profileOf(random: SeededRandom): Profile {
  const webhooks = random.chance(0.75);
  return {
    steps: random.integer(20, 60),
    faults: random.pick([0, 0.05, 0.2, 0.5]),
    jitter: random.pick([0, 0.05, 0.3]),
    dies: random.chance(0.6),
    pauses: random.chance(0.3),
    fillsDisk: random.chance(0.25),
    webhooks,
    polling: !webhooks || random.chance(0.7),
    reopens: random.chance(0.1),
    isDouble: random.chance(0.4),
  };
}
