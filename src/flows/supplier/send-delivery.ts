import type { DeliveryId } from '../../domain/ids.ts';
import type { Delivery } from '../../domain/supplier/delivery.ts';
import { type Instant, SECOND } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { lookUntil } from '../look-until.ts';

/** A wait told by the API that is no longer than this is slept here; a longer one is the deliverer's. */
const LONGEST_SLEEP = 5 * SECOND;

/** Sends a due delivery again: the deliverer's way in. Does nothing when it is not to be sent. */
export async function resendDelivery(deps: Deps, id: DeliveryId): Promise<void> {
  const taken = await deps.store.supplier.takeDelivery(id, deps.random.token());
  if (taken.kind === 'claimed') {
    await sendDelivery(deps, taken.delivery, taken.token, deps.clock.now());
    return;
  }
  if (taken.delivery.state === 'EXPIRED') {
    deps.log.error('a delivery expired unsettled: what was stored upstream is unknown', { deliveryId: id });
  }
}

/**
 * Sends a claimed delivery and writes down what came of it. While `until` lies ahead, waits as long as the API says
 * and sends the very same request again. Returns the delivery as it then stands.
 */
export async function sendDelivery(
  deps: Deps,
  delivery: Delivery,
  token: string,
  until: Instant,
): Promise<Delivery> {
  let current = delivery;
  let claim = token;
  for (;;) {
    const reply = await deps.supplier.sendDelivery(current);
    current = await deps.store.supplier.settleDelivery(current.id, claim, reply);
    deps.log.info('a delivery was sent', { deliveryId: current.id, state: current.state, reply: reply.kind });
    if (current.state !== 'PENDING' || current.nextAttemptAt === null) return current;
    const wait = Math.max(0, current.nextAttemptAt - deps.clock.now());
    if (wait > LONGEST_SLEEP || deps.clock.now() + wait >= until) return current;
    await deps.clock.sleep(wait);
    const taken = await deps.store.supplier.takeDelivery(current.id, deps.random.token());
    if (taken.kind === 'not-sent') return settledByOther(deps, taken.delivery, until);
    current = taken.delivery;
    claim = taken.token;
  }
}

/** The deliverer was faster, here or in another instance: its send is as good as ours, and so is its outcome. */
function settledByOther(deps: Deps, delivery: Delivery, until: Instant): Promise<Delivery> {
  return lookUntil(deps, `supplier-order:${delivery.orderId}`, async () => {
    const present = (await deps.store.supplier.delivery(delivery.id)) ?? delivery;
    return present.state !== 'PENDING' || deps.clock.now() >= until ? present : null;
  });
}
