/** A file of tests, and how the name of a test in it begins, as it is written there. */
export type Proof = readonly [file: string, name: string];

/** One thing that can go wrong, what must happen then, and the tests that prove it. */
export interface FaultCase {
  readonly id: string;
  readonly fault: string;
  readonly behaviour: string;
  /** None where it is struck. */
  readonly proofs: readonly Proof[];
  /** Why there is no test, or what of the case is left to something else. */
  readonly struck?: string;
}

export function proven(id: string, fault: string, behaviour: string, ...proofs: readonly Proof[]): FaultCase {
  return { id, fault, behaviour, proofs };
}

export function struck(id: string, fault: string, behaviour: string, why: string): FaultCase {
  return { id, fault, behaviour, proofs: [], struck: why };
}
