/** Which instances are at work over this store. */
export interface Presence {
  /**
   * Says that the instance of this token is, for `leaseMs` milliseconds from now by the store's clock. Returns how many
   * are, this one included. One that dies is counted until its lease is over.
   */
  beat(token: string, leaseMs: number): Promise<number>;
  /** Says that the instance of this token is no longer, so that nobody waits for its lease. */
  leave(token: string): Promise<void>;
}
