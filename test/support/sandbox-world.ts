import { z } from 'zod';
import { parseRetryAfter } from '../../src/domain/backoff.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Outcome } from '../../src/sandbox/kernel/exchange.ts';
import { createWorld, type World } from '../../src/sandbox/kernel/world.ts';
import { createBuyerSide } from '../../src/sandbox/smscode/side.ts';
import { createSupplierSide } from '../../src/sandbox/supplier/side.ts';
import type { Http, HttpCall, HttpResult } from '../../src/upstream/http.ts';
import { SANDBOX_ORIGIN, SANDBOX_SECRET, SANDBOX_SEED, SANDBOX_TOKEN } from './sandbox-names.ts';

/** Where a webhook of the sandbox goes: its status, or null where there was no answer. */
export type WebhookTarget = (body: Uint8Array, signature: string | null) => Promise<number | null>;

/** Both simulated upstreams without their sockets, in the time of a clock that is handed in. */
export interface SandboxWorld {
  readonly world: World;
  /** The way out of a gateway: to this world instead of the network. */
  readonly http: Http;
  /** One call of the control paths: `POST sms`. */
  steer(call: string, body?: unknown): Record<string, unknown>;
  /** Its money; the requests are left out. */
  ledger(): SandboxLedger;
  /** Orders that the provider holds open, the newest first. */
  openOrders(): Promise<readonly number[]>;
  close(): void;
}

const money = z.looseObject({ order_id: z.int(), amount: z.int() });
const ledgerSchema = z.object({
  balance: z.int(),
  charges: z.array(money.extend({ idempotency_key: z.string().nullable() })),
  refunds: z.array(money),
});
const activeSchema = z.object({ data: z.array(z.looseObject({ id: z.int() })) });
export type SandboxLedger = z.output<typeof ledgerSchema>;

export function openSandboxWorld(clock: Clock, onWebhook: WebhookTarget | null = null): SandboxWorld {
  const world = createWorld(
    { seed: SANDBOX_SEED, clock: { now: clock.now, after: (ms, run) => ({ cancel: clock.after(ms, run) }) } },
    {
      buyer: (context) =>
        createBuyerSide(context, {
          webhook: { url: onWebhook === null ? null : `${SANDBOX_ORIGIN}/webhooks`, secret: SANDBOX_SECRET },
          post: {
            async send(_url, body, signature) {
              return onWebhook === null ? null : onWebhook(Buffer.from(body), signature);
            },
            stop() {},
          },
        }),
      supplier: (context) => createSupplierSide(context, { orderEverySeconds: null }),
    },
  );

  function steer(call: string, body?: unknown): Record<string, unknown> {
    const [method = '', path = ''] = call.split(' ');
    const reply = world.control({
      method,
      target: `/_sandbox/${path}`,
      host: '127.0.0.1',
      origin: undefined,
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    });
    const text = Buffer.from(reply.body).toString();
    if (reply.status !== 200) throw new Error(`${call}: ${text}`);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  }

  return {
    world,
    http: worldHttp(world, clock),
    steer,
    ledger: () => ledgerSchema.parse(steer(`GET ledger?after=${Number.MAX_SAFE_INTEGER}`)),
    async openOrders() {
      const authorization = `Bearer ${SANDBOX_TOKEN}`;
      const open = world.open({ method: 'GET', target: '/v1/orders/active', headers: { authorization } });
      const outcome = await open?.finish(Buffer.alloc(0));
      if (outcome?.kind !== 'answer') throw new Error('the sandbox did not answer');
      return activeSchema
        .parse(JSON.parse(Buffer.from(outcome.reply.body).toString()))
        .data.map(({ id }) => id);
    },
    close: () => world.close(),
  };
}

/** As the real way out: bounded by the call's deadline, each fault of the world told as the network would show it. */
function worldHttp(world: World, clock: Clock): Http {
  async function call(request: HttpCall): Promise<HttpResult> {
    const startedAt = clock.now();
    const over = new AbortController();
    const expiry = clock.sleep(request.deadline - startedAt, over.signal).then(() => null);
    const outcome = await Promise.race([exchange(world, request), expiry]);
    // An answer that does not end, or drips, is over at its deadline.
    if (outcome?.kind === 'hang' || outcome?.kind === 'drip') await expiry;
    over.abort();
    return resultOf(outcome, clock.now() - startedAt);
  }
  return { call, close: () => Promise.resolve() };
}

function exchange(world: World, { method, url, token, headers, body }: HttpCall): Promise<Outcome> {
  const { pathname, search } = new URL(url);
  const open = world.open({
    method,
    target: pathname + search,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  if (open === null) throw new Error(`the world has no side for ${url}`);
  return open.finish(Buffer.from(body ?? ''));
}

function resultOf(outcome: Outcome | null, elapsedMs: number): HttpResult {
  switch (outcome?.kind) {
    case undefined:
    case 'hang':
    case 'drip':
      return { kind: 'no-answer', why: 'timeout', elapsedMs };
    case 'reset':
      return { kind: 'no-answer', why: 'broken', elapsedMs };
    case 'cut': {
      // Under a Content-Length the cut shows; on a connection-close answer it looks like the end.
      if (outcome.told === 'length') return { kind: 'no-answer', why: 'broken', elapsedMs };
      const { reply } = outcome;
      return answer({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) }, elapsedMs);
    }
    case 'answer':
      return answer(outcome.reply, elapsedMs);
  }
}

function answer(
  { status, headers, body }: Extract<Outcome, { kind: 'answer' }>['reply'],
  elapsedMs: number,
): HttpResult {
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'] ?? null);
  return { kind: 'answer', status, body, retryAfterSeconds, elapsedMs };
}
