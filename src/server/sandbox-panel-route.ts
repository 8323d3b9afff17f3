import { z } from 'zod';
import type { Clock } from '../ports/clock.ts';
import { type Authenticator, keyOfRequest } from './auth.ts';
import { answer, type Exchange, type Route, refuse } from './exchange.ts';
import { readBody } from './read-body.ts';
import { readyKeyFor } from './ready-key.ts';

/** A control call of the simulated upstreams: POST of a body to a path below /_sandbox. */
export type SandboxControl = (
  path: string,
  body: Uint8Array,
) => { readonly status: number; readonly body: Uint8Array };

const LARGEST_BODY = 64 * 1024;

const orderSchema = z.strictObject({ order_id: z.int().positive() });

/** What the panel may do, and where in the sandbox it is done. Null: the body does not say which order. */
const operations: ReadonlyMap<string, (body: Uint8Array) => string | null> = new Map([
  ['sms', () => '/_sandbox/sms'],
  ['faults', () => '/_sandbox/faults'],
  ['supplier-orders', () => '/_sandbox/supplier-orders'],
  ['expire', expiryPath],
]);

/**
 * The console's way to the sandbox, whose own port a page must not reach. In sandbox mode alone, for a browser on this
 * machine, and with a key: it makes money and messages out of nothing, if only simulated ones.
 */
export function sandboxPanelRoutes(deps: {
  readonly control: SandboxControl;
  readonly sandboxKey: string | null;
  readonly auth: Authenticator;
  readonly clock: Clock;
  readonly bodyMilliseconds: number;
}): readonly [path: string, route: Route][] {
  return [...operations].map(([name, pathOf]) => [
    `/console/sandbox/${name}`,
    { name: 'console-sandbox', methods: ['POST'], handle: (exchange) => pass(exchange, pathOf) },
  ]);

  async function pass(exchange: Exchange, pathOf: (body: Uint8Array) => string | null): Promise<void> {
    if (readyKeyFor(exchange.request, deps.sandboxKey) === null) {
      const message = 'The sandbox is steered from its own machine alone.';
      return refuse(exchange, 403, { code: 'FORBIDDEN', message });
    }
    if ((await deps.auth.authenticate(keyOfRequest(exchange.request))) === null) {
      return refuse(exchange, 401, { code: 'UNAUTHENTICATED', message: 'A valid gateway key is needed.' });
    }
    const body = await readBody(
      exchange,
      { bytes: LARGEST_BODY, milliseconds: deps.bodyMilliseconds },
      deps.clock,
    );
    const path = body.kind === 'read' ? pathOf(body.bytes) : null;
    if (body.kind !== 'read' || path === null) {
      return refuse(exchange, 400, {
        code: 'BAD_USER_INPUT',
        message: 'The body is too large, or no such order.',
      });
    }
    const reply = deps.control(path, body.bytes);
    answer(exchange, reply.status, reply.body, { 'content-type': 'application/json; charset=utf-8' });
  }
}

function expiryPath(body: Uint8Array): string | null {
  try {
    const { order_id } = orderSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')));
    return `/_sandbox/orders/${order_id}/expire`;
  } catch {
    return null;
  }
}
