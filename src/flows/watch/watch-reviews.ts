import type { AttemptId } from '../../domain/ids.ts';
import type { Attempt } from '../../domain/orders/attempt.ts';
import type { AttemptPosition } from '../../ports/store/attempts.ts';
import type { Deps } from '../deps.ts';
import { clearAlert, raiseAlert } from './raise-alert.ts';

const PAGE = 100;

/** Tells operators, once, of a paid attempt that waits for a person. */
async function tellOfReview(deps: Deps, { id, caller, sends }: Attempt): Promise<void> {
  const message = `a paid attempt of ${caller} has come to no clear end after ${sends} sends: find out what it bought, and closeCreateAttempt`;
  await raiseAlert(deps, 'ATTEMPT_IN_REVIEW', message, id);
}

/** An attempt has just come to wait for a person. It is stored as such, and whoever asked is answered whether or not this can be told now. */
export async function reachedReview(deps: Deps, attempt: Attempt): Promise<void> {
  deps.metrics.attemptReached('OPERATOR_REVIEW');
  deps.log.warn('a paid attempt waits for a person', { attemptId: attempt.id, sends: attempt.sends });
  try {
    await tellOfReview(deps, attempt);
  } catch (error) {
    deps.log.error('an attempt in review could not be told of yet', { attemptId: attempt.id }, error);
  }
}

/**
 * Tells of every attempt in review that nobody was told of: the process may have died between the two. `told` are those
 * of earlier looks; those of this one are returned.
 */
export async function watchReviews(
  deps: Deps,
  told: ReadonlySet<AttemptId>,
): Promise<ReadonlySet<AttemptId>> {
  const { attempts } = deps.store;
  const found = new Set<AttemptId>();
  let after: AttemptPosition | null = null;
  do {
    const page = await attempts.page({ kind: 'all' }, ['OPERATOR_REVIEW'], { first: PAGE, after });
    for (const { node } of page.items) {
      found.add(node.id);
      if (!told.has(node.id)) await tellUnlessClosed(deps, node);
    }
    after = page.hasNext ? (page.items.at(-1)?.position ?? null) : null;
  } while (after !== null);
  return found;
}

/** Closed between the look and the alert, it would never be cleared: closing had nothing to clear yet. */
async function tellUnlessClosed(deps: Deps, attempt: Attempt): Promise<void> {
  await tellOfReview(deps, attempt);
  const [now] = await deps.store.attempts.byIds({ kind: 'all' }, [attempt.id]);
  if (now?.state !== 'OPERATOR_REVIEW') await clearAlert(deps, 'ATTEMPT_IN_REVIEW', attempt.id);
}
