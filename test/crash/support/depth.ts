/** How much of a suite is run: what a change is likely to break, at every run; or every step there is. */
export type Depth = 'main' | 'every';

/** Steps to be killed at. Those that only a thorough run takes stand apart. */
export function stepsOf<Step>(depth: Depth, main: readonly Step[], others: readonly Step[]): Step[] {
  return depth === 'every' ? [...main, ...others] : [...main];
}
