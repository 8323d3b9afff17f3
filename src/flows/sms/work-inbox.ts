import type { OrderId } from '../../domain/ids.ts';
import type { InboxResult } from '../../ports/store/inbox.ts';
import type { Deps } from '../deps.ts';
import { reportConflict } from './report-conflict.ts';
import { sinceOrdered } from './since-ordered.ts';

/** Records worked off in one transaction: enough to be cheap, and few milliseconds, for webhooks and creates wait meanwhile. */
const BATCH = 50;

export interface InboxRound {
  /** How many records were due. */
  readonly records: number;
  /** There may be more: the batch was full. */
  readonly mayHoldMore: boolean;
  /** Orders that only webhooks have told of: one read completes each, so that an operator sees it. */
  readonly incomplete: readonly OrderId[];
  /** Orders that a webhook has ended: no poll looks at them any more, and their last message may have come to nobody. */
  readonly ended: readonly OrderId[];
}

/** Works off what the inbox holds and is due, of all orders or of those named. */
export async function workInbox(deps: Deps, orderIds?: readonly OrderId[]): Promise<InboxRound> {
  const records = await deps.store.inbox.pending(BATCH, orderIds);
  const oldest = records[0];
  if (oldest === undefined) return { records: 0, mayHoldMore: false, incomplete: [], ended: [] };
  deps.metrics.inboxLag(Math.max(0, deps.clock.now() - oldest.receivedAt));
  const batch = records.map((record) => ({ record, event: deps.webhooks.event(record.body) }));
  const endings = new Set(batch.filter(({ event }) => event.kind === 'ended').map(({ record }) => record.id));
  const results = await deps.store.inbox.apply(batch);
  const incomplete = new Set<OrderId>();
  const ended = new Set<OrderId>();
  for (const result of results) {
    report(deps, result);
    if (result.kind !== 'applied' || result.order === null) continue;
    if (result.order.amount === null) incomplete.add(result.order.id);
    if (endings.has(result.id)) ended.add(result.order.id);
  }
  return {
    records: records.length,
    mayHoldMore: records.length === BATCH,
    incomplete: [...incomplete],
    ended: [...ended],
  };
}

function report(deps: Deps, result: InboxResult): void {
  switch (result.kind) {
    case 'gone':
      return;
    case 'applied':
      if (result.news !== null) deps.metrics.smsAccepted('WEBHOOK', sinceOrdered(result.order, result.news));
      if (result.conflict && result.order !== null) reportConflict(deps, result.order);
      return;
    case 'failed':
      if (result.nextAt === null) {
        deps.metrics.inboxDead();
        deps.log.error('a webhook was dead-lettered', { inboxId: result.id }, result.error);
      } else {
        deps.log.warn('a webhook could not be worked off yet', { inboxId: result.id });
      }
  }
}
