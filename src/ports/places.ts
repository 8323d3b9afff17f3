/** Requests that may be under way at once to an upstream, of which each instance has its share. */
export interface Places {
  /** From now on this instance has its share of all places among so many; one place at least. */
  shareAmong(instances: number): void;
}
