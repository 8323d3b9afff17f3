import type { AttemptId } from '../domain/ids.ts';
import { MINUTE } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { watchReviews } from '../flows/watch/watch-reviews.ts';
import { every } from './every.ts';
import type { Worker } from './loop.ts';

/** Sees that every attempt held for a person has its alert, whoever held it and died before telling. */
export function reviewWatch(deps: Deps): Worker {
  let told: ReadonlySet<AttemptId> = new Set();
  return every(deps.clock, 'review-watch', MINUTE, async () => {
    told = await watchReviews(deps, told);
  });
}
