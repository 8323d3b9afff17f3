import type { SupplierOrderId } from '../../domain/ids.ts';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { beginPlan, type Delivered, type DeliveryPlan, foldLine } from '../../domain/supplier/plan.ts';
import type { Deps } from '../deps.ts';

/** Lines looked at in one go: some seven milliseconds. Each turn in between costs a timer's millisecond, and others' work. */
const LINES_AT_ONCE = 8_000;

export interface Planned {
  readonly order: SupplierOrder;
  readonly plan: DeliveryPlan;
  /** The same lines, planned as if so many had been delivered. */
  planWith(deliveredCount: number): Promise<DeliveryPlan>;
  /** Of the delivered lines it was made from. */
  readonly version: number;
}

/** What a delivery of these lines would do, by what is known to have been delivered. Null: an order this gateway has never seen. */
export async function planFor(
  deps: Deps,
  id: SupplierOrderId,
  elements: readonly string[],
): Promise<Planned | null> {
  const { order, lines, version } = await deps.store.supplier.deliveredLines(id);
  if (order === null) return null;
  const folded = await foldAll(deps, lines);
  const planWith = (deliveredCount: number): Promise<DeliveryPlan> =>
    inTurns(deps, { quantity: order.quantity, deliveredCount, folded }, elements);
  return { order, version, plan: await planWith(order.deliveredCount), planWith };
}

async function foldAll({ clock }: Deps, lines: readonly string[]): Promise<ReadonlySet<string>> {
  const folded = new Set<string>();
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    if (at > 0) await clock.sleep(0);
    for (const line of lines.slice(at, at + LINES_AT_ONCE)) folded.add(foldLine(line));
  }
  return folded;
}

/** Lets others have their turn in between. */
async function inTurns(
  { clock }: Deps,
  delivered: Delivered,
  elements: readonly string[],
): Promise<DeliveryPlan> {
  const underWay = beginPlan(delivered, elements);
  while (!underWay.advance(LINES_AT_ONCE)) await clock.sleep(0);
  return underWay.plan();
}
