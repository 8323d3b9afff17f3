import type { OrderId } from '../../domain/ids.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from './record-snapshot.ts';

/**
 * Reads an order upstream and keeps what it tells: of orders that only a webhook or the active list has told of, and
 * after an action changed what may be done. Never rejects: what fails now, the next poll does.
 */
export async function refreshOrder(deps: Deps, id: OrderId): Promise<void> {
  try {
    const read = await deps.numbers.order(id);
    if (read.kind === 'read') await recordSnapshot(deps, read.value, read.readAt);
  } catch (error) {
    deps.log.error('an order that was read could not be kept', { orderId: id }, error);
  }
}
