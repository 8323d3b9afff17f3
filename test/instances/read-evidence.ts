import { Client } from 'pg';
import { z } from 'zod';
import type { Evidence } from './evidence.ts';

const text = z.string();
const number = z.coerce.number();
const isoTime = z.string().transform((told) => Date.parse(told));

const ledgerSchema = z.object({
  charges: z.array(z.object({ order_id: number, idempotency_key: text.nullable(), amount: number })),
  refunds: z.array(z.object({ order_id: number, amount: number })),
  claims: z.array(z.object({ order_id: text })),
  delivered_lines: z.array(z.object({ order_id: text, line: text })),
  supplier_orders: z.array(z.object({ id: text, status: text })),
  requests: z.array(
    z.object({
      side: text,
      idempotency_key: text.nullable(),
      body: z.unknown(),
      status: number.nullable(),
      at: isoTime,
      ended_at: isoTime.nullable(),
      inflight_at_start: number,
    }),
  ),
});

type AtUpstreams = Pick<
  Evidence,
  'charges' | 'refunds' | 'supplierClaims' | 'deliveredLines' | 'supplierOrders' | 'requests'
>;

/** From the sandboxes' ledger. */
export function readLedger(told: unknown): AtUpstreams {
  const ledger = ledgerSchema.parse(told);
  return {
    charges: ledger.charges.map(({ order_id: orderId, idempotency_key: key, amount }) => ({
      orderId,
      key,
      amount,
    })),
    refunds: ledger.refunds.map(({ order_id: orderId, amount }) => ({ orderId, amount })),
    supplierClaims: ledger.claims.map(({ order_id: id }) => id),
    deliveredLines: ledger.delivered_lines.map(({ order_id: orderId, line }) => ({ orderId, line })),
    supplierOrders: ledger.supplier_orders,
    requests: ledger.requests.map(
      ({ side, idempotency_key: key, body, status, at, ended_at: endedAt, ...rest }) => ({
        side,
        key,
        body: JSON.stringify(body),
        status,
        from: at,
        until: endedAt ?? at,
        beside: rest.inflight_at_start,
      }),
    ),
  };
}

type InDatabase = Pick<
  Evidence,
  'attempts' | 'orders' | 'messages' | 'inbox' | 'budgets' | 'entries' | 'claimed' | 'openDeliveries'
>;

/** From beside: what is committed, whatever the instances say of it. */
export async function readDatabase(url: string): Promise<InDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = async <Row extends z.ZodType>(schema: Row, query: string): Promise<z.output<Row>[]> =>
    z.array(schema).parse((await client.query(query)).rows);
  try {
    const claims = await rows(
      z.object({ id: text }),
      'select id from supplier_orders where claim_sequence is not null order by claim_sequence',
    );
    const open = await rows(
      z.object({ count: number }),
      `select count(*) from supplier_deliveries where state = 'PENDING'`,
    );
    return {
      attempts: await rows(
        z.object({ id: text, caller: text, job: text, key: text, state: text, quantity: number }),
        'select id, caller, business_job_id as job, idempotency_key as key, state, quantity from attempts',
      ),
      orders: await rows(
        z.object({ id: number, attemptId: text.nullable(), status: text, revision: number }),
        'select id, attempt_id as "attemptId", status, sms_revision as revision from orders',
      ),
      messages: await rows(
        z.object({
          orderId: number,
          revision: number,
          owner: text.nullable(),
          source: text,
          receivedAt: number,
          ownerSequence: number.nullable(),
          sequence: number.nullable(),
        }),
        `select order_id as "orderId", revision, owner, source, received_at as "receivedAt",
           owner_sequence as "ownerSequence", sequence from sms_revisions`,
      ),
      inbox: await rows(
        z.object({ orderId: number, revision: number, state: text }),
        `select order_id as "orderId", revision, state from inbox where revision is not null`,
      ),
      budgets: await rows(
        z.object({ caller: text, spent: number, reserved: number }),
        'select caller, spent, reserved from budgets',
      ),
      entries: await rows(
        z.object({ caller: text, orderId: number.nullable(), kind: text, amount: number }),
        'select caller, order_id as "orderId", kind, amount from budget_entries',
      ),
      claimed: claims.map(({ id }) => id),
      openDeliveries: open[0]?.count ?? 0,
    };
  } finally {
    await client.end();
  }
}
