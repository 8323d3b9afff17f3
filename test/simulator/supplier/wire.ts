import { z } from 'zod';
import type { Delivery } from '../../../src/domain/supplier/delivery.ts';
import { foldLine } from '../../../src/domain/supplier/plan.ts';
import type { HttpCall, HttpResult } from '../../../src/upstream/http.ts';
import { parseJson } from '../../../src/upstream/json.ts';
import type { PlatformOrder } from './platform.ts';

const MOST_AT_ONCE = 2;
/** The API's own: "at least 200 ms between calls of one API key". */
const SPACING = 200;

const bodySchema = z.object({
  order: z.string().optional(),
  status: z.enum(['completed', 'partial']),
  accounts: z.array(z.string()),
});
const refusalSchema = z.object({ error: z.string(), retry_after_ms: z.int() });

/** One delivery as it left. */
interface Sent {
  readonly endpoint: string;
  readonly body: string;
  readonly order: string;
  readonly status: 'completed' | 'partial';
  readonly lines: readonly string[];
}

/** Looks at each call that leaves: is it allowed to? */
export interface Wire {
  /** What it gives is called with the answer; with null when its sender can hear of none any more. */
  sent(call: HttpCall): Promise<(result: HttpResult | null) => void>;
  /** Calls that left. */
  calls(): number;
  /** Refusals for a limit that were answered, by code. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface WireParts {
  readonly now: () => number;
  readonly order: (id: string) => PlatformOrder | undefined;
  /** What is stored of an order's deliveries. */
  readonly deliveries: (order: string) => Promise<readonly Delivery[]>;
  /** False where a process may stand still between being allowed to send and sending. */
  readonly isPunctual: boolean;
  readonly violate: (what: string) => void;
}

export function createWire({ now, order, deliveries, isPunctual, violate }: WireParts): Wire {
  const underWay = new Set<HttpCall>();
  const delivering = new Map<string, string>();
  const sends = new Map<string, number>();
  const notBefore = new Map<string, number>();
  const refusals = new Map<string, number>();
  let lastUpdateAt = Number.NEGATIVE_INFINITY;
  let calls = 0;

  /** Both limits, over all instances. */
  function checkLimits({ operation }: HttpCall): void {
    if (isPunctual && underWay.size >= MOST_AT_ONCE) {
      violate(`limit: ${operation} leaves beside ${[...underWay].map((one) => one.operation)}`);
    }
    if (operation !== 'orders-update') return;
    const since = now() - lastUpdateAt;
    if (isPunctual && since < SPACING) violate(`limit: orders-update leaves ${since} ms after the last one`);
    lastUpdateAt = now();
  }

  /** One delivery at a time on an order, as it is stored, and never before it was told to. */
  async function checkDelivery(sent: Sent): Promise<void> {
    const { order: id, body } = sent;
    const beside = delivering.get(id);
    if (isPunctual && beside !== undefined) violate(`two deliveries on ${id} overlap`);
    const count = (sends.get(body) ?? 0) + 1;
    sends.set(body, count);
    if (isPunctual && now() < (notBefore.get(body) ?? 0)) {
      violate(`limit: a delivery on ${id} leaves before it was told to`);
    }
    if (count === 1) checkLines(sent);
    // Two deliveries may be of the same bytes: both closed the order, say.
    const stored = (await deliveries(id)).filter(
      (one) => one.body === body && one.endpoint === sent.endpoint,
    );
    if (stored.length === 0) violate(`a delivery on ${id} left with bytes that are not stored`);
    const recorded = stored.reduce((sum, { attempts }) => sum + attempts, 0);
    if (recorded < count) violate(`send ${count} of a delivery on ${id} left without its record`);
  }

  /** Nothing of what the API does silently is left to it. */
  function checkLines({ order: id, status, lines }: Sent): void {
    const known = order(id);
    if (known === undefined) {
      violate(`a delivery left on ${id}, which is no order`);
      return;
    }
    const stored = new Set(known.lines.map(foldLine));
    const folded = lines.map(foldLine);
    if (lines.some((line) => line.trim() !== line || line === '' || /\n/.test(line))) {
      violate(`lines of ${id} leave as the API would not store them`);
    }
    const fresh = new Set(folded.filter((line) => !stored.has(line)));
    // Where nothing is new, what is there carries a status that was asked for.
    if (fresh.size > 0 && fresh.size < folded.length) violate(`a line of ${id} is delivered twice`);
    const after = stored.size + fresh.size;
    if (after > known.quantity) violate(`${after} lines leave for ${id}, which wants ${known.quantity}`);
    if (status === 'completed' && after < known.quantity && !known.foreign) {
      violate(`${id} is to be completed with ${after} of ${known.quantity}`);
    }
  }

  function answered(result: HttpResult, body: string | undefined): void {
    if (result.kind !== 'answer' || result.status !== 429) return;
    const parsed = parseJson(result.body);
    const refusal = refusalSchema.safeParse(parsed.kind === 'json' ? parsed.value : null);
    if (!refusal.success) return;
    const { error, retry_after_ms: wait } = refusal.data;
    refusals.set(error, (refusals.get(error) ?? 0) + 1);
    if (body !== undefined) notBefore.set(body, now() + wait);
  }

  return {
    refusals,
    calls: () => calls,
    async sent(call) {
      calls += 1;
      checkLimits(call);
      underWay.add(call);
      const sent = deliveryOf(call);
      if (sent !== null) {
        await checkDelivery(sent);
        delivering.set(sent.order, sent.body);
      }
      let isOver = false;
      return (result) => {
        if (isOver) return;
        isOver = true;
        underWay.delete(call);
        if (sent !== null) delivering.delete(sent.order);
        if (result !== null) answered(result, sent?.body);
      };
    },
  };
}

function deliveryOf({ operation, url, body }: HttpCall): Sent | null {
  if (operation !== 'orders-update' && operation !== 'accounts-bulk') return null;
  const { order, status, accounts } = bodySchema.parse(JSON.parse(body ?? ''));
  const path = new URL(url).pathname.replace('/api/admin/v2', '');
  return {
    endpoint: path,
    body: body ?? '',
    order: order ?? decodeURIComponent(path.split('/')[2] ?? ''),
    status,
    lines: accounts,
  };
}
