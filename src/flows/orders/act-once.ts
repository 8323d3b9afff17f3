import type { Actor } from '../../domain/audit.ts';
import type { OrderId } from '../../domain/ids.ts';
import {
  type Capabilities,
  nothingAllowed,
  type Order,
  type OrderSnapshot,
  type OrderStatus,
} from '../../domain/orders/order.ts';
import { type Instant, SECOND } from '../../domain/time.ts';
import type { ActionRecord, OrderAction } from '../../ports/store/orders.ts';
import type { Deps } from '../deps.ts';
import { lookUntil } from '../look-until.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';
import { surely } from '../surely.ts';

/** Three upstream calls of at most 30 s each, and room to write down what came of them. */
const ACTION_LEASE = 120 * SECOND;

/** How one kind of action is done; the rules around it are the same for all (smscode-v1.md, Cancel; Finish, resend). */
export interface ActionRules {
  readonly action: OrderAction;
  readonly flag: keyof Pick<Capabilities, 'canCancel' | 'canFinish' | 'canResend'>;
  /** Sends the one POST. `order` is as just read. An `unclear` end is looked up by one read. */
  send(
    order: Order,
  ): Promise<Extract<ActionRecord, { kind: 'receipt' | 'rejected' }> | { readonly kind: 'unclear' }>;
  /** What a receipt proves of the order's status. */
  readonly receiptMeans: OrderStatus | null;
  /** The status that, found by a later read, proves a POST that came to no clear end; null: nothing does. */
  readonly confirmedBy: OrderStatus | null;
}

/**
 * Reads the order, sends the action once and only when the flag of that very snapshot allows it, and never repeats
 * it. Asked for several times at once, over all instances, it is sent once, and all askers get the one outcome.
 */
export async function actOnce(
  deps: Deps,
  order: Order,
  rules: ActionRules,
  by: Actor,
): Promise<ActionRecord> {
  for (;;) {
    const token = deps.random.token();
    const claim = await deps.store.actions.begin(order.id, rules.action, token, ACTION_LEASE, by);
    if (claim.kind === 'claimed') {
      const outcome = await act(deps, order, rules);
      await endSurely(deps, order.id, rules.action, token, outcome);
      return outcome;
    }
    const outcome = await waitForOutcome(deps, order.id, rules.action, claim.until);
    if (outcome !== null) return outcome;
    // The other asker died with its lease: this one takes over, and begins with a read of its own.
  }
}

async function act(deps: Deps, order: Order, rules: ActionRules): Promise<ActionRecord> {
  const { id } = order;
  const first = await readSnapshot(deps, id);
  if (first === null) return { kind: 'ambiguous', latestStatus: null };
  const allowed = first.snapshot.capabilities[rules.flag];
  // A flag that was not told, or was no boolean, is not a yes.
  if (allowed === undefined) return { kind: 'ambiguous', latestStatus: first.snapshot.status };
  if (!allowed) return { kind: 'skipped' };

  const sentAt = deps.clock.now();
  const reply = await rules.send(first.order ?? order);
  deps.log.info('an order action was sent', { orderId: id, action: rules.action, reply: reply.kind });
  if (reply.kind === 'rejected') return reply;
  if (reply.kind === 'receipt') {
    if (rules.receiptMeans !== null) {
      const told = { id, status: rules.receiptMeans, capabilities: nothingAllowed, evidence: null };
      await keep(deps, told, sentAt);
    }
    return reply;
  }
  const later = await readSnapshot(deps, id);
  if (later !== null && later.snapshot.status === rules.confirmedBy) return { kind: 'confirmed' };
  return { kind: 'ambiguous', latestStatus: (later ?? first).snapshot.status };
}

async function readSnapshot(
  deps: Deps,
  id: OrderId,
): Promise<{ readonly snapshot: OrderSnapshot; readonly order: Order | null } | null> {
  const read = await deps.numbers.order(id);
  if (read.kind !== 'read') return null;
  return { snapshot: read.value, order: await keep(deps, read.value, read.readAt) };
}

/** What was read is worth less than the outcome of the one POST: that it cannot be kept must not lose the other. */
async function keep(deps: Deps, snapshot: OrderSnapshot, readAt: Instant): Promise<Order | null> {
  try {
    return await recordSnapshot(deps, snapshot, readAt);
  } catch (error) {
    deps.log.error('an order that was read could not be kept', { orderId: snapshot.id }, error);
    return null;
  }
}

/** A receipt that is not written down is lost: the provider gives it once. */
function endSurely(
  deps: Deps,
  id: OrderId,
  action: OrderAction,
  token: string,
  outcome: ActionRecord,
): Promise<void> {
  const message = 'the outcome of an order action could not be stored';
  return surely(deps, ACTION_LEASE, { message, fields: { orderId: id, action } }, () =>
    deps.store.actions.end(id, action, token, outcome),
  );
}

/** Null: its asker died with its lease. */
async function waitForOutcome(
  deps: Deps,
  id: OrderId,
  action: OrderAction,
  until: Instant,
): Promise<ActionRecord | null> {
  const seen = await lookUntil(deps, `order:${id}`, async () => {
    const outcome = await deps.store.actions.outcome(id, action);
    if (outcome !== null) return { outcome };
    return (await deps.store.now()) >= until ? { outcome: null } : null;
  });
  return seen.outcome;
}
