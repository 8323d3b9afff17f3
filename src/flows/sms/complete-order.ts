import type { OrderId } from '../../domain/ids.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from './record-snapshot.ts';

/**
 * Reads an order that only a webhook or the active list has told of. Runs beside its caller and never rejects: what
 * fails now, the next poll does.
 */
export async function completeOrder(deps: Deps, id: OrderId): Promise<void> {
  try {
    const read = await deps.numbers.order(id);
    if (read.kind === 'read') await recordSnapshot(deps, read.value, read.readAt);
  } catch (error) {
    deps.log.error('an order made elsewhere could not be kept', { orderId: id }, error);
  }
}
