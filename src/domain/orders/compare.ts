import type { BusinessJobId, CallerName, CatalogProductId, IdempotencyKey, OrderId } from '../ids.ts';
import type { Rupiah } from '../money.ts';
import type { Instant } from '../time.ts';
import type { Attempt, Routing } from './attempt.ts';

interface JobRequest {
  readonly caller: CallerName;
  readonly businessJobId: BusinessJobId;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly reviewThresholdAt: Instant | null;
}

/** A create as a caller asks for it; null is "left out". */
export interface CreateRequest extends JobRequest {
  readonly kind: 'CREATE';
  readonly catalogProductId: CatalogProductId;
  readonly quantity: number | null;
  readonly maxUnitPrice: Rupiah | null;
  readonly routing: Routing | null;
}

/** A reactivation as a caller asks for it. */
export interface ReactivateRequest extends JobRequest {
  readonly kind: 'REACTIVATE';
  readonly orderId: OrderId;
  readonly maxCost: Rupiah;
}

/**
 * The input fields in which a repeated request differs from the attempt its job is bound to (gateway.md, Inputs).
 * A field left out the second time is no difference; one given only the second time is.
 */
export function differingFields(attempt: Attempt, asked: CreateRequest | ReactivateRequest): string[] {
  const differing = requestDifferences(attempt, asked);
  if (asked.idempotencyKey !== null && asked.idempotencyKey !== attempt.idempotencyKey) {
    differing.push('idempotencyKey');
  }
  if (asked.reviewThresholdAt !== null && asked.reviewThresholdAt !== attempt.reviewThresholdAt) {
    differing.push('reviewThresholdAt');
  }
  return differing;
}

function requestDifferences(attempt: Attempt, asked: CreateRequest | ReactivateRequest): string[] {
  const { request } = attempt;
  const differing: string[] = [];
  if (asked.kind === 'CREATE') {
    // The job reactivates a number: nothing of a create matches it.
    if (request.kind !== 'CREATE') return ['catalogProductId', 'quantity'];
    if (asked.catalogProductId !== request.catalogProductId) differing.push('catalogProductId');
    if (asked.quantity !== null && asked.quantity !== request.quantity) differing.push('quantity');
    if (asked.maxUnitPrice !== null && asked.maxUnitPrice !== request.maxUnitPrice)
      differing.push('maxUnitPrice');
    if (asked.routing !== null && !sameRouting(asked.routing, request.routing)) differing.push('routing');
    return differing;
  }
  if (request.kind !== 'REACTIVATE') return ['orderId', 'maxCost'];
  if (asked.orderId !== request.orderId) differing.push('orderId');
  if (asked.maxCost !== request.maxCost) differing.push('maxCost');
  return differing;
}

function sameRouting(asked: Routing, bound: Routing | null): boolean {
  const keys = ['operatorId', 'minPrice', 'policy', 'preferProvider'] as const;
  return keys.every((key) => asked[key] === null || asked[key] === (bound?.[key] ?? null));
}
