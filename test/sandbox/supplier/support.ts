import { z } from 'zod';
import type { RequestHead } from '../../../src/sandbox/kernel/exchange.ts';
import type { World } from '../../../src/sandbox/kernel/world.ts';

export const BASE = '/api/admin/v2';
export const KEY = { 'x-api-key': 'sandbox-key' };

export type Answered = { readonly status: number; readonly body: Record<string, unknown> };

const jsonObject = z.record(z.string(), z.unknown());
const orderList = z.object({ orders: z.array(z.looseObject({ id: z.string(), quantity: z.number() })) });
const ledger = z.object({
  supplier_orders: z.array(z.looseObject({ id: z.string() })),
  claims: z.array(z.object({ order_id: z.string(), at: z.string(), request: z.int() })),
  delivered_lines: z.array(
    z.object({ order_id: z.string(), line: z.string(), at: z.string(), request: z.int() }),
  ),
  requests: z.array(
    z.looseObject({
      n: z.int(),
      path: z.string(),
      at: z.string(),
      ended_at: z.string().nullable(),
      inflight_at_start: z.int(),
      status: z.int().nullable(),
    }),
  ),
});

export function parseAnswer(status: number, text: string): Answered {
  return { status, body: jsonObject.parse(JSON.parse(text)) };
}

/** The ids in an answer of a list call. */
export function idsOf(answer: Answered): string[] {
  return orderList.parse(answer.body).orders.map((order) => order.id);
}

/** One request to a world without sockets; throws where it gets no answer. */
export async function ask(
  world: World,
  call: string,
  body?: unknown,
  headers: RequestHead['headers'] = KEY,
): Promise<Answered> {
  const [method = '', path = ''] = call.split(' ');
  const open = world.open({ method, target: `${BASE}${path}`, headers });
  if (open === null) throw new Error(`no side for ${path}`);
  const outcome = await open.finish(Buffer.from(body === undefined ? '' : JSON.stringify(body)));
  if (outcome.kind !== 'answer') throw new Error(`no answer but a ${outcome.kind}`);
  return parseAnswer(outcome.reply.status, Buffer.from(outcome.reply.body).toString());
}

/** One call of the control paths. */
export function steer(world: World, call: string, body?: unknown): Answered {
  const [method = '', path = ''] = call.split(' ');
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const target = `/_sandbox/${path}`;
  const reply = world.control({ method, target, host: '127.0.0.1', origin: undefined, body: bytes });
  return parseAnswer(reply.status, Buffer.from(reply.body).toString());
}

/** Has a buyer place an order; its id. */
export function placeOrder(world: World, order: Readonly<Record<string, unknown>> = {}): string {
  return z.string().parse(steer(world, 'POST supplier-orders', { quantity: 3, ...order }).body['id']);
}

export function readLedger(world: World): z.output<typeof ledger> {
  return ledger.parse(steer(world, 'GET ledger').body);
}
