import { z } from 'zod';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
const ms = z.int().min(0).max(86_400_000);

const sideName = z.enum(['buyer', 'supplier']);

export type SideName = z.output<typeof sideName>;

const requestFault = {
  match: z
    .strictObject({
      method: z.enum(METHODS).optional(),
      path: z.string().startsWith('/').optional(),
      side: sideName.optional(),
    })
    .default({}),
  times: z.int().min(1).default(1),
};
/** Where it is not the nature of the fault: does the request take effect behind the caller's back? */
const effect = z.boolean().default(false);

const deliveryFault = {
  match: z.strictObject({ event: z.string().optional(), order_id: z.int().optional() }).default({}),
  times: z.int().min(1).default(1),
};

const requestFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms, ...requestFault }),
  z.strictObject({ kind: z.literal('reset_before'), ...requestFault }),
  z.strictObject({ kind: z.literal('reset_after'), ...requestFault }),
  z.strictObject({ kind: z.literal('drop_after_ms'), ms, ...requestFault }),
  z.strictObject({ kind: z.literal('hang'), effect, ...requestFault }),
  z.strictObject({ kind: z.literal('half_body'), ...requestFault }),
  z.strictObject({ kind: z.literal('half_body_close'), ...requestFault }),
  z.strictObject({ kind: z.literal('drip'), ms: ms.default(1000), ...requestFault }),
  z.strictObject({ kind: z.literal('bad_utf8'), ...requestFault }),
  z.strictObject({ kind: z.literal('duplicate_key'), ...requestFault }),
  z.strictObject({ kind: z.literal('wrong_shape'), merge: z.json().optional(), ...requestFault }),
  z.strictObject({ kind: z.literal('html_502'), effect, ...requestFault }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.json().optional(),
    headers: z.record(z.string(), z.string()).default({}),
    effect,
    ...requestFault,
  }),
  z.strictObject({
    kind: z.literal('rate_limited'),
    retry_after: z.int().min(0).default(1),
    ...requestFault,
  }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.literal([301, 302, 303, 307, 308]).default(307),
    location: z.string().default('http://127.0.0.1:9/elsewhere'),
    ...requestFault,
  }),
]);

const deliveryFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('webhook_duplicate'), ...deliveryFault }),
  z.strictObject({ kind: z.literal('webhook_reorder'), ms: ms.default(1000), ...deliveryFault }),
  z.strictObject({ kind: z.literal('webhook_delay'), ms, ...deliveryFault }),
  z.strictObject({ kind: z.literal('webhook_drop'), ...deliveryFault }),
  z.strictObject({ kind: z.literal('webhook_bad_signature'), ...deliveryFault }),
]);

export type RequestFault = z.output<typeof requestFaultSchema>;
export type DeliveryFault = z.output<typeof deliveryFaultSchema>;
export type Fault = RequestFault | DeliveryFault;

export const faultSchema = z.discriminatedUnion('kind', [requestFaultSchema, deliveryFaultSchema]);

/** The faults still to come. Each is used up by the calls that match it, the oldest first. Not kept over a restart. */
export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  takeForRequest(request: { side: SideName; method: string; path: string }): RequestFault | null;
  takeForDelivery(delivery: { event: string; orderId: number }): DeliveryFault | null;
};

export function createFaults(): Faults {
  let waiting: Fault[] = [];

  function take<F extends Fault>(wanted: (fault: Fault) => F | null): F | null {
    for (const [at, fault] of waiting.entries()) {
      const found = wanted(fault);
      if (found === null) continue;
      if (fault.times > 1) waiting[at] = { ...fault, times: fault.times - 1 };
      else waiting.splice(at, 1);
      return found;
    }
    return null;
  }

  return {
    add: (fault) => {
      waiting.push(fault);
    },
    clear: () => {
      waiting = [];
    },
    list: () => waiting,
    takeForRequest: ({ side, method, path }) =>
      take((fault) => {
        if (isDeliveryFault(fault)) return null;
        const { match } = fault;
        const fits =
          (match.side ?? side) === side &&
          (match.method ?? method) === method &&
          (match.path === undefined ||
            pathMatches(match.path, path) ||
            pathMatches(match.path, belowBase(path)));
        return fits ? fault : null;
      }),
    takeForDelivery: ({ event, orderId }) =>
      take((fault) => {
        if (!isDeliveryFault(fault)) return null;
        const { match } = fault;
        return (match.event ?? event) === event && (match.order_id ?? orderId) === orderId ? fault : null;
      }),
  };
}

function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return fault.kind.startsWith('webhook_');
}

/** Documents of the APIs write `/orders/create` as often as `/v1/orders/create`. */
function belowBase(path: string): string {
  return path.replace(/^\/(?:v1|api\/admin\/v2)(?=\/)/, '');
}

/** A pattern with a `:name` segment is the whole path, any other one a prefix. Ids have a digit; `active` is none. */
export function pathMatches(pattern: string, path: string): boolean {
  if (!pattern.includes('/:')) return path.startsWith(pattern);
  const wanted = pattern.split('/');
  const found = path.split('/');
  return (
    wanted.length === found.length &&
    wanted.every((segment, at) =>
      segment.startsWith(':') ? /\d/.test(found[at] ?? '') : segment === found[at],
    )
  );
}
