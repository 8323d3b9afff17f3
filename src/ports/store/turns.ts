/** Work that one instance does for all of them. */
export type TurnName = 'sms-poller' | 'balance-watch' | 'webhook-watch' | 'puller';

/** Who does a round of such work. Nobody leads: each asks, whoever is first has it, and one that dies is not missed. */
export interface Turns {
  /**
   * 0: the turn is the asker's, and the next one comes `interval` milliseconds from now. Else how long it is until then.
   * By the store's clock; one that was set back holds nobody up for longer than `longest`, what a pause may be.
   */
  take(work: TurnName, interval: number, longest: number): Promise<number>;
  /** Nobody has a turn for so many milliseconds from now. */
  pause(work: TurnName, milliseconds: number): Promise<void>;
}
