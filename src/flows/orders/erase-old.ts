import { instant } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';

/** Orders erased in one transaction: others get their turn in between. */
const BATCH = 200;

/** Erases texts, codes, numbers and delivered lines of what ended longer ago than `retention` milliseconds. */
export async function eraseOld(deps: Deps, retention: number, signal: AbortSignal): Promise<void> {
  const endedBefore = instant((await deps.store.now()) - retention);
  let erased = 0;
  for (let last = BATCH; last === BATCH && !signal.aborted; ) {
    last = await deps.store.retention.erase(endedBefore, BATCH);
    erased += last;
  }
  if (erased === 0) return;
  await deps.store.retention.scrub();
  deps.log.info('what was kept long enough was erased', { orders: erased });
}
