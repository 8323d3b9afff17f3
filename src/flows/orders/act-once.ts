import type { OrderId } from '../../domain/ids.ts';
import type { Capabilities, Order, OrderSnapshot } from '../../domain/orders/order.ts';
import { type Instant, SECOND } from '../../domain/time.ts';
import type { ActionRecord, OrderAction } from '../../ports/store/orders.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';

/** Three upstream calls of at most 30 s each, and room to write down what came of them. */
const ACTION_LEASE = 120 * SECOND;
/** How often one who waits for another asker's outcome looks, should the wake be lost. */
const WAITER_LOOKS_EVERY = SECOND;

/** How one kind of action is done; the rules around it are the same for all (smscode-v1.md, Cancel; Finish, resend). */
export interface ActionRules {
  readonly action: OrderAction;
  readonly flag: keyof Pick<Capabilities, 'canCancel' | 'canFinish' | 'canResend'>;
  /** Sends the one POST. `unclear` is looked up by one read. */
  send(
    id: OrderId,
  ): Promise<Extract<ActionRecord, { kind: 'receipt' | 'rejected' }> | { readonly kind: 'unclear' }>;
  /** What a receipt says of the order itself; null: nothing. */
  afterReceipt(id: OrderId): OrderSnapshot | null;
  /** Does a later read prove an action whose POST came to no clear end? */
  isConfirmedBy(snapshot: OrderSnapshot): boolean;
}

/**
 * Reads the order, sends the action once and only when the flag of that very snapshot allows it, and never repeats
 * it. Asked for several times at once, over all instances, it is sent once, and all askers get the one outcome.
 */
export async function actOnce(deps: Deps, order: Order, rules: ActionRules): Promise<ActionRecord> {
  for (;;) {
    const token = deps.random.token();
    const claim = await deps.store.actions.begin(order.id, rules.action, token, ACTION_LEASE);
    if (claim.kind === 'claimed') {
      const outcome = await act(deps, order.id, rules);
      await deps.store.actions.end(order.id, rules.action, token, outcome);
      return outcome;
    }
    const outcome = await waitForOutcome(deps, order.id, rules.action, claim.until);
    if (outcome !== null) return outcome;
    // The other asker died with its lease: this one takes over, and begins with a read of its own.
  }
}

async function act(deps: Deps, id: OrderId, rules: ActionRules): Promise<ActionRecord> {
  const first = await readSnapshot(deps, id);
  if (first === null) return { kind: 'ambiguous', latestStatus: null };
  const allowed = first.capabilities[rules.flag];
  // A flag that was not told, or was no boolean, is not a yes.
  if (allowed === undefined) return { kind: 'ambiguous', latestStatus: first.status };
  if (!allowed) return { kind: 'skipped' };

  const sentAt = deps.clock.now();
  const reply = await rules.send(id);
  deps.log.info('an order action was sent', { orderId: id, action: rules.action, reply: reply.kind });
  if (reply.kind === 'receipt') {
    const told = rules.afterReceipt(id);
    if (told !== null) await recordSnapshot(deps, told, sentAt);
    return reply;
  }
  if (reply.kind === 'rejected') return reply;
  const later = await readSnapshot(deps, id);
  if (later !== null && rules.isConfirmedBy(later)) return { kind: 'confirmed' };
  return { kind: 'ambiguous', latestStatus: later?.status ?? null };
}

async function readSnapshot(deps: Deps, id: OrderId): Promise<OrderSnapshot | null> {
  const read = await deps.numbers.order(id);
  if (read.kind !== 'read') return null;
  await recordSnapshot(deps, read.value, read.readAt);
  return read.value;
}

async function waitForOutcome(
  deps: Deps,
  id: OrderId,
  action: OrderAction,
  until: Instant,
): Promise<ActionRecord | null> {
  for (;;) {
    const outcome = await deps.store.actions.outcome(id, action);
    if (outcome !== null) return outcome;
    if ((await deps.store.now()) >= until) return null;
    const woken = new AbortController();
    const unlisten = deps.wake.listen([`order:${id}`], () => woken.abort());
    await deps.clock.sleep(WAITER_LOOKS_EVERY, woken.signal);
    unlisten();
  }
}
