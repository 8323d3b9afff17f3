import { z } from 'zod';
import { later, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { SANDBOX_KEY, SANDBOX_ORIGIN } from '../../support/sandbox-names.ts';
import type { SandboxWorld } from '../../support/sandbox-world.ts';

const LEASE = 30 * MINUTE;
const PATIENCE = 15 * SECOND;

const orderSchema = z.object({
  id: z.string(),
  quantity: z.int(),
  status: z.string(),
  lastProcessTime: z.iso.datetime().nullable(),
  foreign: z.boolean(),
});
const ledgerSchema = z.object({
  supplier_orders: z.array(orderSchema),
  claims: z.array(z.object({ order_id: z.string() })),
  delivered_lines: z.array(z.object({ order_id: z.string(), line: z.string() })),
});

/** An order as the platform has it, whatever it shows of it. */
export interface PlatformOrder {
  readonly id: string;
  readonly quantity: number;
  readonly status: string;
  /** List calls and pulls leave it out. */
  readonly isHidden: boolean;
  /** None of this supplier's: it can be claimed and never delivered. */
  readonly foreign: boolean;
  /** As stored, in order. */
  readonly lines: readonly string[];
}

/** The supplier's upstream, seen from inside. */
export interface Platform {
  orders(): readonly PlatformOrder[];
  order(id: string): PlatformOrder | undefined;
  /** The orders of all claims that took effect, one an entry. */
  claims(): readonly string[];
  /** A buyer orders. Returns the id. */
  place(request: Readonly<Record<string, unknown>>): string;
  /** Somebody else with the same account takes the lease of an order. */
  hide(id: string): Promise<void>;
}

export function createPlatform({ steer, http }: SandboxWorld, clock: Pick<Clock, 'now'>): Platform {
  const ledger = () => ledgerSchema.parse(steer(`GET ledger?after=${Number.MAX_SAFE_INTEGER}`));

  function orders(): readonly PlatformOrder[] {
    const { supplier_orders: all, delivered_lines: lines } = ledger();
    return all.map(({ lastProcessTime, ...order }) => ({
      ...order,
      isHidden: lastProcessTime !== null && clock.now() < Date.parse(lastProcessTime) + LEASE,
      lines: lines.filter(({ order_id: id }) => id === order.id).map(({ line }) => line),
    }));
  }

  return {
    orders,
    order: (id) => orders().find((order) => order.id === id),
    claims: () => ledger().claims.map(({ order_id: id }) => id),
    place: (request) => z.string().parse(steer('POST supplier-orders', request)['id']),
    async hide(id) {
      await http.call({
        operation: 'last-process-time',
        method: 'PATCH',
        url: `${SANDBOX_ORIGIN}/api/admin/v2/orders/${id}/last-process-time`,
        token: SANDBOX_KEY,
        body: '{}',
        deadline: later(clock.now(), PATIENCE),
      });
    },
  };
}
