import type { CallerActor } from '../../domain/audit.ts';
import { parseDeliveryId, type SupplierOrderId } from '../../domain/ids.ts';
import type { Delivery, DeliveryRejectionCode, DeliveryStatus } from '../../domain/supplier/delivery.ts';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { type DeliveryPlan, foldLine } from '../../domain/supplier/plan.ts';
import { deliveryRequest } from '../../domain/supplier/request-body.ts';
import { type Instant, later, SECOND } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { type Planned, planFor } from './plan-delivery.ts';
import { sendDelivery } from './send-delivery.ts';

/** The mutation answers within this; what is not settled by then is the deliverer's. */
const ANSWER_WITHIN = 9 * SECOND;
/** Plans made anew because other lines were delivered meanwhile. */
const MOST_PLANS = 5;

export interface DeliverRequest {
  readonly by: CallerActor;
  readonly orderId: SupplierOrderId;
  readonly lines: readonly string[];
  /** Null: COMPLETED when the order is full after this, else PARTIAL. */
  readonly status: DeliveryStatus | null;
  readonly externalId: string | null;
  readonly externalPrice: string | null;
  readonly overflow: 'REFUSE' | 'SEND_WHAT_FITS';
}

export type NotSentReason = 'NOTHING_TO_SEND' | 'OVERFLOW' | 'PREVIOUS_DELIVERY_PENDING';

/** What a delivery came to. Each `kind` is the name of its type in the graph. */
export type DeliverOutcome =
  | { readonly kind: 'DeliveryAccepted'; readonly plan: DeliveryPlan; readonly order: SupplierOrder }
  | { readonly kind: 'DeliveryPending'; readonly plan: DeliveryPlan; readonly delivery: Delivery }
  | {
      readonly kind: 'DeliveryRejected';
      readonly plan: DeliveryPlan;
      readonly code: DeliveryRejectionCode;
      readonly message: string;
    }
  | { readonly kind: 'DeliveryNotSent'; readonly plan: DeliveryPlan; readonly reason: NotSentReason };

/**
 * Delivers lines on an order: plans what the API will do with them, stores the exact request, sends it, and goes on
 * sending that same request until it is settled. Null: an order this gateway has never seen.
 */
export async function deliverOrder(deps: Deps, asked: DeliverRequest): Promise<DeliverOutcome | null> {
  const answerBy = later(deps.clock.now(), ANSWER_WITHIN);
  for (let turn = 0; turn < MOST_PLANS; turn++) {
    const planned = await planFor(deps, asked.orderId, asked.lines);
    if (planned === null) return null;
    const deliveries = await deps.store.supplier.deliveries([asked.orderId]);
    const pending = deliveries.find(({ state }) => state === 'PENDING');
    if (pending !== undefined) return besidePending(asked, planned, pending);
    const reason = reasonNotToSend(planned.plan, asked);
    if (reason !== null) return { kind: 'DeliveryNotSent', plan: planned.plan, reason };
    const outcome = await prepareAndSend(deps, asked, planned, answerBy);
    if (outcome !== 'outdated') return outcome;
  }
  throw new Error('the lines delivered on an order changed faster than a plan could be made');
}

function reasonNotToSend(plan: DeliveryPlan, asked: DeliverRequest): NotSentReason | null {
  if (plan.overflow.length > 0 && asked.overflow === 'REFUSE') return 'OVERFLOW';
  if (plan.fresh.length > 0) return null;
  // Asked for a status, lines that are there already still carry it: the way to close an order that is full.
  return asked.status !== null && carriers(plan).length > 0 ? null : 'NOTHING_TO_SEND';
}

/** Lines that are there already. A repeat within the batch may be of a line that there was no room for: that one is not. */
function carriers({ duplicate, overflow }: DeliveryPlan): readonly string[] {
  const without = new Set(overflow.map(foldLine));
  return duplicate.filter((line) => !without.has(foldLine(line)));
}

/** The very same request again is a client that did not hear the answer; another one has to wait. */
async function besidePending(
  asked: DeliverRequest,
  planned: Planned,
  pending: Delivery,
): Promise<DeliverOutcome> {
  // As it was planned then: a listing may have counted its lines meanwhile, and now there seems to be no room for them.
  const plan = await planned.planWith(pending.countedBefore);
  return requestOf(asked, plan).body === pending.body
    ? { kind: 'DeliveryPending', plan, delivery: pending }
    : { kind: 'DeliveryNotSent', plan: planned.plan, reason: 'PREVIOUS_DELIVERY_PENDING' };
}

function requestOf(asked: DeliverRequest, plan: DeliveryPlan) {
  const { orderId, externalId, externalPrice } = asked;
  const status = asked.status ?? (plan.remainingAfter === 0 ? 'COMPLETED' : 'PARTIAL');
  const lines = plan.fresh.length > 0 ? plan.fresh : carriers(plan);
  return { status, ...deliveryRequest({ orderId, status, lines, externalId, externalPrice }) };
}

async function prepareAndSend(
  deps: Deps,
  asked: DeliverRequest,
  { plan, version, order }: Planned,
  answerBy: Instant,
): Promise<DeliverOutcome | 'outdated'> {
  const { orderId, by, externalId, externalPrice } = asked;
  const id = parseDeliveryId(deps.random.token());
  if (id === null) throw new Error('random tokens must be of A-Z a-z 0-9 _ -');
  const { endpoint, body, status } = requestOf(asked, plan);
  const prepared = await deps.store.supplier.prepareDelivery(
    {
      id,
      orderId,
      caller: by.caller,
      endpoint,
      body,
      status,
      lines: plan.fresh.length,
      externalId,
      externalPrice,
    },
    version,
    deps.random.token(),
    by,
  );
  switch (prepared.kind) {
    // Another request was faster: judge again, beside it.
    case 'outdated':
    case 'pending':
      return 'outdated';
    case 'fresh': {
      const delivery = await sendAndWait(deps, prepared.delivery, prepared.token, answerBy);
      return outcomeOf(delivery, plan, (await deps.store.supplier.find(orderId)) ?? order);
    }
  }
}

/** The send goes on past the time to answer, and its outcome is kept: only the asker stops waiting. */
async function sendAndWait(
  deps: Deps,
  delivery: Delivery,
  token: string,
  answerBy: Instant,
): Promise<Delivery> {
  const sending = sendDelivery(deps, delivery, token, answerBy);
  const answered = new AbortController();
  const waiting = deps.clock.sleep(answerBy - deps.clock.now(), answered.signal);
  const first = await Promise.race([sending, waiting]);
  answered.abort();
  if (first !== undefined) return first;
  sending.catch((error: unknown) => {
    deps.log.error('a delivery could not be settled', { deliveryId: delivery.id }, error);
  });
  return (await deps.store.supplier.delivery(delivery.id)) ?? delivery;
}

function outcomeOf(delivery: Delivery, plan: DeliveryPlan, order: SupplierOrder): DeliverOutcome {
  switch (delivery.state) {
    case 'ACCEPTED':
      return { kind: 'DeliveryAccepted', plan, order };
    case 'REJECTED': {
      const rejection = delivery.rejection ?? { code: 'OTHER', message: delivery.lastError ?? '' };
      return { kind: 'DeliveryRejected', plan, ...rejection };
    }
    case 'PENDING':
    case 'EXPIRED':
      return { kind: 'DeliveryPending', plan, delivery };
  }
}
