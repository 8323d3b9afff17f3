import { z } from 'zod';
import { jsonReply, parseAs, type Reply, refusal } from '../kernel/reply.ts';
import type { ControlCall } from '../kernel/side.ts';
import type { Catalog } from './catalog/generate.ts';
import { type Stock, tierChangesSchema } from './catalog/stock.ts';
import { findCode } from './messages.ts';
import { isTerminal, type Order, type OrderView, summary } from './order.ts';
import type { OrderBook } from './order-book.ts';

type Parts = {
  readonly book: OrderBook;
  readonly catalog: Catalog;
  readonly stock: Stock;
  readonly flags: (order: Order) => OrderView;
};

const smsSchema = z.strictObject({
  /** Also as text, as the graph's ids are. */
  order_id: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ]),
  message: z.string(),
  /** Left out: found in the message; null: none. */
  otp_code: z.string().nullable().optional(),
});

/** The buyer's switches: an SMS, the end of a window, a tier's price or stock, at the moment a test wants them. */
export function createBuyerControl({
  book,
  catalog,
  stock,
  flags,
}: Parts): (call: ControlCall) => Reply | null {
  function onOpen(id: number, act: (order: Order) => void): Reply {
    const order = book.get(id);
    if (order === undefined) return refusal(404, `no order ${id}`);
    if (isTerminal(order)) return refusal(409, `order ${id} is ${order.status}`);
    act(order);
    return jsonReply(200, summary(order, flags(order)));
  }

  function sms(body: unknown): Reply {
    const parsed = parseAs(smsSchema, body);
    if (parsed.kind === 'wrong') return refusal(422, parsed.message);
    const { order_id, message, otp_code } = parsed.value;
    const code = otp_code === undefined ? findCode(message) : otp_code;
    return onOpen(order_id, (order) => book.receive(order, { message, code }));
  }

  function product(id: number, body: unknown): Reply {
    const parsed = parseAs(tierChangesSchema, body);
    if (parsed.kind === 'wrong') return refusal(422, parsed.message);
    const at = catalog.numberOf(id);
    if (at === null) return refusal(404, `no product ${id}`);
    stock.set(at, parsed.value);
    return jsonReply(200, { id, price: stock.price(at), available: stock.available(at) });
  }

  return ({ method, path, body }) => {
    if (method !== 'POST') return null;
    if (path === '/_sandbox/sms') return sms(body);
    const expired = /^\/_sandbox\/orders\/(\d+)\/expire$/.exec(path)?.[1];
    if (expired !== undefined) return onOpen(Number(expired), book.expire);
    const changed = /^\/_sandbox\/products\/(\d+)$/.exec(path)?.[1];
    return changed === undefined ? null : product(Number(changed), body);
  };
}
