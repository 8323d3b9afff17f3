import { setTimeout as sleep } from 'node:timers/promises';
import type { Graph } from './graph.ts';
import { readAccount } from './promises.ts';
import type { Upstream } from './upstream.ts';

/** Replays are two minutes apart at most, rentals end after 45 s, and what has ended is read within a quarter of an hour. */
const LIMIT = 180_000;
const OPEN = new Set(['PREPARED', 'SENDING', 'NEEDS_RECONCILIATION']);

/** Waits until nothing is under way any more, working off what the supplier still has. What is left after three minutes, in words. */
export async function quiet(parts: {
  readonly ops: Graph;
  readonly upstream: Upstream;
  work(): Promise<void>;
}): Promise<readonly string[]> {
  const { ops, upstream } = parts;
  let left: readonly string[] = ['nothing was looked at'];
  for (const giveUpAt = Date.now() + LIMIT; left.length > 0 && Date.now() < giveUpAt; ) {
    await parts.work();
    await sleep(3_000);
    left = await underWay(ops, upstream);
  }
  return left;
}

async function underWay(ops: Graph, upstream: Upstream): Promise<readonly string[]> {
  const { attempts, orders, supplierOrders } = await readAccount(ops);
  const { webhooks, claims, delivered_lines: lines, supplier_orders: placed } = await upstream.ledger();
  const metrics = await (await fetch(`${ops.url}/metrics`)).text();
  const quantities = placed.filter(({ id }) => claims.some((claim) => claim.order_id === id));
  const left: [what: string, number: number][] = [
    ['attempts are open', attempts.filter(({ state }) => OPEN.has(state)).length],
    [
      'orders have not ended',
      orders.filter(({ status }) => status === 'ACTIVE' || status === 'OTP_RECEIVED').length,
    ],
    ['webhooks are still to be sent', webhooks.pending],
    ['webhooks wait in the inbox', valueIn(metrics, 'switchboard_inbox_records{state="pending"}')],
    ['supplier orders are not full', supplierOrders.filter(({ remaining }) => remaining > 0).length],
    [
      'lines are missing upstream',
      quantities.reduce((sum, { quantity }) => sum + quantity, 0) -
        new Set(lines.map(({ line }) => line)).size,
    ],
  ];
  return left.filter(([, number]) => number > 0).map(([what, number]) => `${number} ${what}`);
}

/** The sum of a metric's values over its labels, or the value of one with its labels. */
export function valueIn(metrics: string, name: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
