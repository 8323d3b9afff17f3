import type { Deps } from '../flows/deps.ts';
import { readLast } from '../flows/sms/record-snapshot.ts';
import { refreshOrder } from '../flows/sms/refresh-order.ts';
import { workInbox } from '../flows/sms/work-inbox.ts';
import type { Worker } from './loop.ts';

/** How often it looks although nothing told it to: records left by a process that died, and those tried again later. */
const LOOKS_EVERY = 1_000;
/**
 * A message that comes alone is worked off at once. Of those that come one behind the other, each would cost a commit of its own,
 * and make the next webhook wait for it: for as long they are gathered, less than a person sees.
 */
const APART = 4;

/** Runs the effects of webhooks that were stored and answered. */
export function inboxWorker(deps: Deps): Worker {
  return {
    name: 'inbox',
    wokenBy: ['inbox'],
    apart: APART,
    async round() {
      const { mayHoldMore, incomplete, ended } = await workInbox(deps);
      // Beside the loop: a slow upstream must not hold up the next message.
      for (const id of ended) void readLast(deps, id);
      for (const id of incomplete) if (!ended.includes(id)) void refreshOrder(deps, id);
      return mayHoldMore ? 0 : LOOKS_EVERY;
    },
  };
}
