import type { CallerActor } from '../../src/domain/audit.ts';
import type { CallerName, OrderId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import type { CreateRequest } from '../../src/domain/orders/compare.ts';
import type { Order } from '../../src/domain/orders/order.ts';
import type { CreateOutcome } from '../../src/domain/orders/outcome.ts';
import { instant } from '../../src/domain/time.ts';
import { type CancelOutcome, cancelOrder } from '../../src/flows/orders/cancel-order.ts';
import { createOrder } from '../../src/flows/orders/create-order.ts';
import { finishOrder } from '../../src/flows/orders/finish-order.ts';
import { reactivateOrder } from '../../src/flows/orders/reactivate-order.ts';
import { readOrder } from '../../src/flows/orders/read-order.ts';
import { resendSms } from '../../src/flows/orders/resend-sms.ts';
import { job, key, must } from '../support/values.ts';
import type { BuyingInstance } from './instance.ts';
import { type Asked, callers, type Simulation } from './simulation.ts';

// What clients ask of the gateway, and what they must be told.

export function actor(caller: CallerName): CallerActor {
  return { kind: 'caller', caller, keyId: null, requestId: 'simulated' };
}

export function newCreate({ random, clock, tiers, jobs }: Simulation): CreateRequest {
  const price = must(tiers[0]).price;
  return {
    kind: 'CREATE',
    caller: random.pick(callers),
    businessJobId: job(`job-${jobs.length}`),
    catalogProductId: must(must(tiers[0]).catalogProductId),
    quantity: random.pick([null, 1, 1, 1, 2, 3]),
    maxUnitPrice: random.chance(0.3) ? rupiah(random.pick([price - 1, price, 3 * price])) : null,
    routing: null,
    idempotencyKey: random.chance(0.3) ? key(`key-${jobs.length}`) : null,
    reviewThresholdAt: random.chance(0.4) ? instant(clock.now() + random.integer(-5, 120) * 1_000) : null,
  };
}

/** Asks for a job, on any instance, as a client that may have asked before. */
export function askFor(simulation: Simulation, instance: BuyingInstance, asked: Asked): void {
  const label = `${asked.kind} ${asked.businessJobId} of ${asked.caller}`;
  const by = actor(asked.caller);
  simulation.ask(
    instance,
    label,
    (deps) =>
      asked.kind === 'CREATE'
        ? createOrder(deps, asked, by)
        : reactivateOrder(deps, { kind: 'own', caller: asked.caller }, asked, by),
    (result) => {
      if (result.kind === 'outcome') return judgeCreate(simulation, asked, result.outcome);
      return result.kind === 'fault' ? result.fault.kind : result.kind;
    },
  );
}

function judgeCreate({ violate }: Simulation, asked: Asked, outcome: CreateOutcome): string {
  const { attempt } = outcome;
  if (
    attempt !== null &&
    (attempt.caller !== asked.caller || attempt.businessJobId !== asked.businessJobId)
  ) {
    violate(`I10: ${asked.businessJobId} of ${asked.caller} is answered with another's attempt`);
  }
  if (outcome.kind === 'CreateOrderResolved' || outcome.kind === 'CreateOrderPendingAssignment') {
    const { orders, failedCount } = outcome;
    own({ violate }, asked.caller, orders);
    if (attempt !== null && orders.length + failedCount !== attempt.quantity) {
      violate(
        `${asked.businessJobId}: ${orders.length} orders and ${failedCount} failed are not ${attempt.quantity}`,
      );
    }
    return `${outcome.kind} ${orders.map(({ id }) => id).join(' ')}`;
  }
  return outcome.kind === 'CreateOrderNotSent' ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
}

/** I10: nobody is shown another's order. */
function own({ violate }: Pick<Simulation, 'violate'>, caller: CallerName, orders: readonly Order[]): void {
  for (const { id, owner } of orders) {
    if (owner !== caller) violate(`I10: ${caller} is shown the order ${id} of ${owner}`);
  }
}

export type Act = 'cancel' | 'finish' | 'resend' | 'read';

/** Acts on an order, which may be another's: then it must be as if it were not there. */
export function act(
  simulation: Simulation,
  instance: BuyingInstance,
  what: Act,
  caller: CallerName,
  id: OrderId,
): void {
  const { inspector, violate, sandbox } = simulation;
  const scope = { kind: 'own', caller } as const;
  const by = actor(caller);
  const label = `${what} ${id} by ${caller}`;
  const isOwn = inspector.orders().some((order) => order.id === id && order.owner === caller);
  const judge = (outcome: { readonly kind: string; readonly order?: Order } | null): string => {
    if (outcome === null) return 'no such order';
    if (!isOwn && !inspector.orders().some((order) => order.id === id && order.owner === caller)) {
      violate(`I10: ${label} is answered with ${outcome.kind}`);
    }
    if (outcome.order !== undefined) own(simulation, caller, [outcome.order]);
    return outcome.kind;
  };
  switch (what) {
    case 'cancel':
      simulation.ask(
        instance,
        label,
        (deps) => cancelOrder(deps, scope, id, by),
        (outcome) => {
          if (outcome?.kind === 'CancelReceipt') checkReceipt({ violate, sandbox }, outcome);
          return judge(outcome);
        },
      );
      return;
    case 'finish':
      simulation.ask(instance, label, (deps) => finishOrder(deps, scope, id, by), judge);
      return;
    case 'resend':
      simulation.ask(instance, label, (deps) => resendSms(deps, scope, id, by), judge);
      return;
    case 'read':
      simulation.ask(
        instance,
        label,
        (deps) => readOrder(deps, scope, id, true),
        (read) => (read.kind === 'none' ? 'no such order' : judge(read)),
      );
  }
}

/** I6: figures of a refund are the provider's own, of this very order. */
function checkReceipt(
  { violate, sandbox }: Pick<Simulation, 'violate' | 'sandbox'>,
  { orderId, refundAmount }: Extract<CancelOutcome, { kind: 'CancelReceipt' }>,
): void {
  const refund = sandbox.ledger().refunds.find(({ order_id: id }) => id === orderId);
  if (refund?.amount !== refundAmount) {
    violate(
      `I6: the receipt of ${orderId} says ${refundAmount}, the provider gave ${refund?.amount ?? 'nothing'}`,
    );
  }
}
