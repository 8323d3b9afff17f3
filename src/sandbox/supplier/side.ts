import { instant, sleep } from '../kernel/clock.ts';
import { randomFrom } from '../kernel/random.ts';
import { jsonReply, parseAs, type Reply, refusal } from '../kernel/reply.ts';
import { createSettings } from '../kernel/settings.ts';
import type { ControlCall, SandboxRequest, Side, SideContext } from '../kernel/side.ts';
import { type Answer, failure } from './answer.ts';
import { createBook } from './book.ts';
import { createBuyers, type OrderRequest, orderFrom, orderRequest, someRequest } from './buyers.ts';
import { supplierEvent } from './event.ts';
import { createGate } from './gate.ts';
import { findOperation, readWork, type Work } from './operation.ts';
import type { OrderRecord } from './order.ts';
import { defaultSupplierSettings, supplierSettings } from './settings.ts';
import { orderJson } from './shape.ts';

const PREFIX = '/api/admin/v2';
const API_KEY = 'sandbox-key';
/** Ours: the contract names no limit, and accounts-bulk is there for large loads. */
const BODY_LIMIT = 32_000_000;

/** `orderEverySeconds`: how often a buyer orders by himself, until the setting says otherwise; null: never. */
export type SupplierOptions = { readonly orderEverySeconds: number | null };

/** The supplier API v2, simulated: its contract, and the choices that the contract calls ours. */
export function createSupplierSide(context: SideContext, options: SupplierOptions): Side {
  const { clock, agenda, journal, seed } = context;
  const { book: settings, values } = createSettings(
    supplierSettings,
    { ...defaultSupplierSettings, supplier_order_every_seconds: options.orderEverySeconds },
    journal,
  );
  const recorded = journal.entries('event');
  let events = recorded.length;
  const book = createBook((event) => journal.put('event', events++, event));
  for (const [, event] of recorded) book.apply(supplierEvent.parse(event));

  const gate = createGate();
  const random = (purpose: string) => randomFrom(seed, 'supplier', purpose, book.count());
  const buyers = createBuyers({
    clock,
    agenda,
    waitMs: waitForBuyer,
    order: () => place(someRequest(random('buyer'), values().supplier_odd_share)),
  });
  buyers.replan();

  /** Half to one and a half times the setting; none for the very first, so that a fresh start has work to show. */
  function waitForBuyer(): number | null {
    const seconds = values().supplier_order_every_seconds;
    if (seconds === null) return null;
    return book.count() === 0 ? 0 : seconds * 1000 * (0.5 + random('interval').fraction());
  }

  function place(request: OrderRequest): OrderRecord {
    return book.place(orderFrom(request, clock.now(), book.count(), random('id')));
  }

  /** Judged in this order: path, key, concurrency, spacing, size, input, order busy. What passes all is let in. */
  function judge(request: SandboxRequest): Answer | Work {
    const operation = findOperation(request.method, request.path.slice(PREFIX.length));
    if (operation === null) return failure(404, 'NOT_FOUND', 'No such operation');
    const refused =
      checkKey(request.headers) ??
      gate.concurrency() ??
      (operation.kind === 'orders-update'
        ? gate.spacing(clock.now(), values().supplier_min_update_interval_ms)
        : null);
    if (refused !== null) return refused;
    if (request.body === null) return failure(413, 'PAYLOAD_TOO_LARGE', 'The body is too large');
    const work = readWork(operation, request.query, request.body, book);
    // The contract has no code for a malformed request; this one is ours.
    if (work.kind === 'wrong') return failure(400, 'INVALID_REQUEST', work.message);
    const { delivers } = work.value;
    return (delivers === null ? null : gate.delivery(delivers)) ?? work.value;
  }

  async function answer(request: SandboxRequest): Promise<Answer> {
    const judged = judge(request);
    if ('status' in judged) return judged;
    const leave = gate.enter(judged.delivers);
    try {
      await sleep(clock, values().supplier_processing_ms);
      await request.work();
      const notFoundMs = values().supplier_not_found_seconds * 1000;
      return judged.run({ now: clock.now(), request: request.n, notFoundMs });
    } finally {
      // Before the answer leaves: a client may send its next request the moment it has read this one's.
      leave();
    }
  }

  function control({ method, path, body }: ControlCall): Reply | null {
    if (`${method} ${path}` !== 'POST /_sandbox/supplier-orders') return null;
    const parsed = parseAs(orderRequest, body);
    return parsed.kind === 'ok'
      ? jsonReply(200, orderJson(place(parsed.value)))
      : refusal(422, parsed.message);
  }

  return {
    name: 'supplier',
    prefix: PREFIX,
    bodyLimit: BODY_LIMIT,
    settings: {
      ...settings,
      change(changes) {
        settings.change(changes);
        if ('supplier_order_every_seconds' in changes) buyers.replan();
      },
    },
    async handle(request) {
      const { status, body } = await answer(request);
      return jsonReply(status, body);
    },
    control,
    ledger: () => ({
      supplier_orders: book.orders().map((order) => ({ ...orderJson(order), foreign: order.facts.foreign })),
      claims: book.claims.map(({ order, at, request }) => ({ order_id: order, at: instant(at), request })),
      delivered_lines: book.lines.map(({ order, line, at, request }) => ({
        order_id: order,
        line,
        at: instant(at),
        request,
      })),
    }),
    tooManyRequests: (retryAfterSeconds) => {
      const { status, body } = failure(429, 'RATE_LIMIT', 'Too many requests', retryAfterSeconds * 1000);
      return jsonReply(status, body);
    },
    stop() {},
  };
}

/** Either header will do. No key at all and a key that is not known are two problems. */
function checkKey(headers: SandboxRequest['headers']): Answer | null {
  const { 'x-api-key': own, authorization } = headers;
  const key = own ?? /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (key === API_KEY) return null;
  return own === undefined && authorization === undefined
    ? failure(401, 'API_KEY_REQUIRED', 'An API key is required')
    : failure(401, 'INVALID_API_KEY', 'The API key is not known');
}
