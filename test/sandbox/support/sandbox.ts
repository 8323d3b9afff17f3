import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; the text where it is no JSON. */
  readonly body: unknown;
};

export type TestSandbox = {
  readonly origin: string;
  readonly clock: FakeClock;
  /** `GET /v1/balance`, with the buyer's token, and a JSON body where one is given. */
  call(what: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Refuses to go on where a control call is refused. */
  steer(what: string, body?: unknown): Promise<Answered>;
  close(): Promise<void>;
};

/** A sandbox over real sockets, in a time that stands still; it is closed with the test. */
export async function openSandbox(options: Partial<SandboxOptions> & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? createFakeClock();
  const sandbox = await startSandbox({ port: 0, ...options, clock });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await sandbox.close();
  };
  onTestFinished(close);

  const call: TestSandbox['call'] = async (what, body, headers = {}) => {
    const [method = '', path = ''] = what.split(' ');
    const response = await fetch(`${sandbox.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: 'Bearer sandbox-token', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
  const steer: TestSandbox['steer'] = async (what, body) => {
    const [method = '', path = ''] = what.split(' ');
    const answer = await call(`${method} /_sandbox/${path}`, body);
    if (answer.status !== 200) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  return { origin: sandbox.origin, clock, call, steer, close } satisfies TestSandbox;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Any order shape: what tests read of it. */
const orderSchema = z.looseObject({
  id: z.int(),
  status: z.string(),
  amount: z.int(),
  product_id: z.int(),
  catalog_product_id: z.int(),
  phone_number: z.string().nullable(),
});
export type AnyOrder = z.output<typeof orderSchema>;

const createdSchema = z.object({
  success: z.literal(true),
  data: z.object({ orders: z.array(orderSchema), failed_count: z.int() }),
});
const productSchema = z.looseObject({
  id: z.int(),
  available: z.int(),
  price: z.int(),
  catalog_product_id: z.int(),
  country_id: z.int(),
  platform_id: z.int(),
  operator_id: z.int().nullable(),
});
export type AnyProduct = z.output<typeof productSchema>;

const ledgerSchema = z.looseObject({
  balance: z.int(),
  opening_balance: z.int(),
  charges: z.array(
    z.looseObject({ order_id: z.int(), amount: z.int(), idempotency_key: z.string().nullable() }),
  ),
  refunds: z.array(z.looseObject({ order_id: z.int(), amount: z.int(), reason: z.string() })),
  webhooks: z.object({
    pending: z.int(),
    attempts: z.array(z.looseObject({ event: z.string(), status: z.int().nullable() })),
  }),
  requests: z.array(z.looseObject({ n: z.int(), path: z.string(), status: z.int().nullable() })),
});

export function ordersOf(answer: Answered): AnyOrder[] {
  return createdSchema.parse(answer.body).data.orders;
}

export function failedCountOf(answer: Answered): number {
  return createdSchema.parse(answer.body).data.failed_count;
}

export function listOf(answer: Answered): Record<string, unknown>[] {
  return z.object({ data: z.array(z.record(z.string(), z.unknown())) }).parse(answer.body).data;
}

export function dataOf(answer: Answered): Record<string, unknown> {
  return z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.body).data;
}

export async function ledgerOf({ steer }: TestSandbox): Promise<z.output<typeof ledgerSchema>> {
  return ledgerSchema.parse((await steer('GET ledger')).body);
}

export async function productsOf(
  { call }: TestSandbox,
  query = 'country_id=6&platform_id=1',
): Promise<AnyProduct[]> {
  const answer = await call(`GET /v1/catalog/products?${query}`);
  return z.object({ data: z.array(productSchema) }).parse(answer.body).data;
}

/** The cheapest offer of Telegram in Indonesia, there with every seed. */
export async function anOffer(sandbox: TestSandbox): Promise<AnyProduct> {
  const [product] = await productsOf(sandbox);
  if (product === undefined) throw new Error('nothing on offer');
  return product;
}

/** One order of that offer. */
export async function anOrder(sandbox: TestSandbox, headers: Record<string, string> = {}): Promise<AnyOrder> {
  const { catalog_product_id } = await anOffer(sandbox);
  const [order] = ordersOf(await sandbox.call('POST /v1/orders/create', { catalog_product_id }, headers));
  if (order === undefined) throw new Error('no order was made');
  return order;
}

export async function readOrder({ call }: TestSandbox, id: number): Promise<AnyOrder> {
  return orderSchema.parse(dataOf(await call(`GET /v1/orders/${id}`)));
}

export async function balanceOf({ call }: TestSandbox): Promise<number> {
  return z.int().parse(dataOf(await call('GET /v1/balance'))['balance']);
}

/** For what real sockets bring about: asked again and again, with patience for a machine that is busy. */
export function eventually<T>(read: () => Promise<T>) {
  return expect.poll(read, { interval: 5, timeout: 10_000 });
}

/** The failure envelope, closed on both levels. */
export function expectRefusal(answer: Answered, status: number, code: string, details?: unknown): void {
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: {
      success: false,
      error: { code, message: expect.any(String), ...(details === undefined ? {} : { details }) },
    },
  });
}

/** Tests that look at one thing alone want nothing to happen by itself. */
export const QUIET = { sms_delay_seconds: null, number_delay_seconds: 0, rate_per_minute: null };
