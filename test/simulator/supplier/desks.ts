import type { CallerActor } from '../../../src/domain/audit.ts';
import type { CallerName, SupplierOrderId } from '../../../src/domain/ids.ts';
import type { SupplierOrder } from '../../../src/domain/supplier/order.ts';
import { type Instant, instant, MINUTE } from '../../../src/domain/time.ts';
import { type DeliverRequest, deliverOrder } from '../../../src/flows/supplier/deliver-order.ts';
import { leaseOrder, releaseOrder } from '../../../src/flows/supplier/lease-order.ts';
import { PULL_LIMIT, pullOrders } from '../../../src/flows/supplier/pull-orders.ts';
import type { SupplierApi } from '../../../src/ports/supplier-api.ts';
import { alice, bob, caller } from '../../support/values.ts';
import type { Instance } from '../machine.ts';
import type { Simulation } from './simulation.ts';

// What suppliers' workers ask of the gateway, and what they must be told.

/** Three workers, each with a key of its own. */
export const desks: readonly CallerName[] = [alice, bob, caller('carol')];

/** Goods that are there for an order beyond what it wants. */
const SPARE = 2;

function actor(desk: CallerName): CallerActor {
  return { kind: 'caller', caller: desk, keyId: null, requestId: 'simulated' };
}

export function pull(simulation: Simulation, instance: Instance, desk: CallerName, limit: number): void {
  const { clock, violate } = simulation;
  const askedAt = clock.now();
  let heard: readonly string[] = [];
  simulation.ask(
    instance,
    `pull ${limit} by ${desk}`,
    (deps) => {
      const supplier: SupplierApi = {
        ...deps.supplier,
        async pull(most) {
          const reply = await deps.supplier.pull(most);
          if (reply.kind === 'read') heard = reply.value.orders.map(({ id }) => id);
          return reply;
        },
      };
      return pullOrders({ ...deps, supplier }, actor(desk), limit);
    },
    (result) => {
      if (result.kind === 'fault') return result.fault.kind;
      const got = new Set<string>(result.orders.map(({ id }) => id));
      for (const id of got) simulation.handed.push({ order: id, caller: desk });
      // Until its limit has passed, what a pull has changed at the platform is nobody else's.
      if (clock.now() - askedAt < PULL_LIMIT) {
        for (const id of heard.filter((one) => !got.has(one))) violate(`${id} was taken from ${desk}'s pull`);
      }
      return `claimed ${result.orders.map(({ id }) => id)}`;
    },
  );
}

/** All that could be delivered on an order, none of it ever for another one. */
export function goodsOf({ id, quantity }: Pick<SupplierOrder, 'id' | 'quantity'>): readonly string[] {
  return Array.from({ length: quantity + SPARE }, (_, n) => `canary-${id}-${n} Grün`);
}

/** Some of the goods, as people send them: with blanks, repeats, breaks of both kinds, and too many. */
export function someLines({ random }: Simulation, order: SupplierOrder): readonly string[] {
  const goods = goodsOf(order);
  const from = random.integer(0, goods.length - 1);
  const some = goods.slice(from, from + random.integer(1, goods.length));
  const noisy = some.flatMap((line) => noise[random.weighted(frequencies)](line));
  return random.chance(0.3) ? [noisy.join(random.pick(['\n', '\r\n']))] : noisy;
}

const frequencies = { plain: 6, upper: 1, blank: 1, space: 1, twice: 1 } as const;
const noise = {
  plain: (line) => [line],
  upper: (line) => [line.toUpperCase()],
  blank: (line) => ['', line],
  space: (line) => [`  ${line}\t`],
  twice: (line) => [line, line.toUpperCase()],
} satisfies Record<keyof typeof frequencies, (line: string) => readonly string[]>;

export type Wish = Pick<DeliverRequest, 'lines' | 'status' | 'overflow'>;

export function deliver(
  simulation: Simulation,
  instance: Instance,
  desk: CallerName,
  id: SupplierOrderId,
  wish: Wish,
): void {
  const { note, violate } = simulation;
  simulation.ask(
    instance,
    `deliver on ${id} by ${desk}: ${JSON.stringify(wish)}`,
    (deps) =>
      deliverOrder(deps, { by: actor(desk), orderId: id, ...wish, externalId: null, externalPrice: null }),
    (outcome) => {
      if (outcome === null) {
        violate(`${id} is claimed, and not known to ${instance.name}`);
        return 'no such order';
      }
      const { received, fresh, blank, duplicate, overflow } = outcome.plan;
      if (received !== fresh.length + blank + duplicate.length + overflow.length) {
        violate(`the plan for ${id} does not add up`);
      }
      if (outcome.kind === 'DeliveryNotSent') return `${outcome.kind} ${outcome.reason}`;
      if (outcome.kind === 'DeliveryRejected') return `${outcome.kind} ${outcome.code}`;
      if (outcome.kind === 'DeliveryPending') note(`  pending is ${outcome.delivery.id}`);
      return outcome.kind;
    },
  );
}

export function lease(
  simulation: Simulation,
  instance: Instance,
  desk: CallerName,
  id: SupplierOrderId,
  at: Instant | null,
): void {
  const wish = simulation.leases.begin(id);
  simulation.ask(
    instance,
    `lease ${id} by ${desk}${at === null ? '' : `, ${(at - simulation.clock.now()) / MINUTE} minutes on`}`,
    (deps) => leaseOrder(deps, id, at, actor(desk)),
    (result) => {
      wish.end(result.kind === 'order');
      return result.kind === 'fault' ? result.fault.kind : result.kind;
    },
  );
}

export function release(
  simulation: Simulation,
  instance: Instance,
  desk: CallerName,
  id: SupplierOrderId,
): void {
  const wish = simulation.leases.begin(id);
  simulation.ask(
    instance,
    `release ${id} by ${desk}`,
    (deps) => releaseOrder(deps, id, actor(desk)),
    (result) => {
      wish.end(false);
      return result.kind === 'fault' ? result.fault.kind : result.kind;
    },
  );
}

/** When a lease begins; two minutes before its end it is due to be renewed at once. */
export function someTime({ random, clock }: Simulation): Instant | null {
  const minutes = random.pick([null, -28, -28, -15, 3]);
  return minutes === null ? null : instant(clock.now() + minutes * MINUTE);
}
