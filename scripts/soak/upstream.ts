import { z } from 'zod';

const ledgerSchema = z.object({
  charges: z.array(z.object({ order_id: z.int(), amount: z.int(), idempotency_key: z.string().nullable() })),
  refunds: z.array(z.object({ order_id: z.int(), amount: z.int() })),
  webhooks: z.object({
    pending: z.int(),
    attempts: z.array(z.object({ event: z.string(), order_id: z.int(), status: z.int().nullable() })),
  }),
  supplier_orders: z.array(z.object({ id: z.string(), quantity: z.int() })),
  claims: z.array(z.object({ order_id: z.string() })),
  delivered_lines: z.array(z.object({ order_id: z.string(), line: z.string() })),
});
export type Ledger = z.output<typeof ledgerSchema>;

const orderSchema = z.object({
  data: z.object({
    id: z.int(),
    status: z.string(),
    sms_revision: z.int(),
    otp_message: z.string().nullable(),
  }),
});

/** The simulated upstreams, as who runs them steers and audits them. */
export interface Upstream {
  readonly origin: string;
  control(path: string, body: unknown): Promise<void>;
  clearFaults(): Promise<void>;
  ledger(): Promise<Ledger>;
  /** As the provider tells an order now. */
  order(id: number): Promise<z.output<typeof orderSchema>['data']>;
}

export function openUpstream(origin: string): Upstream {
  return {
    origin,
    async control(path, body) {
      const response = await fetch(`${origin}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    },
    async clearFaults() {
      await fetch(`${origin}/_sandbox/faults`, { method: 'DELETE' });
    },
    async ledger() {
      // The requests are left out: there are too many of them.
      const response = await fetch(`${origin}/_sandbox/ledger?after=${Number.MAX_SAFE_INTEGER}`);
      return ledgerSchema.parse(await response.json());
    },
    async order(id) {
      const response = await fetch(`${origin}/v1/orders/${id}`, {
        headers: { authorization: 'Bearer sandbox-token' },
      });
      return orderSchema.parse(await response.json()).data;
    },
  };
}
