import type { TurnName } from '../ports/store/turns.ts';

/** The counter that holds when the next turn is; made when the first one is taken. */
export function turnCounter(work: TurnName): string {
  return `turn:${work}`;
}
