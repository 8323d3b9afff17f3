import type { AttemptRequest } from './attempt.ts';

/** Where a paid request goes, and its exact bytes. */
export interface PaidRequest {
  readonly endpoint: '/orders/create' | '/orders/reactivate';
  readonly body: string;
}

/**
 * Canonical JSON: sorted keys, no blanks. A create that asks for nothing special has exactly the guide's two keys;
 * routing keys and max_price are there only when the caller gave them (smscode-v1.md, Paid create).
 */
export function paidRequest(request: AttemptRequest): PaidRequest {
  switch (request.kind) {
    case 'CREATE':
      return {
        endpoint: '/orders/create',
        body: canonicalJson({
          catalog_product_id: request.catalogProductId,
          quantity: request.quantity,
          max_price: request.maxUnitPrice,
          min_price: request.routing?.minPrice ?? null,
          operator_id: request.routing?.operatorId ?? null,
          policy: request.routing?.policy?.toLowerCase() ?? null,
          prefer_provider: request.routing?.preferProvider ?? null,
        }),
      };
    case 'REACTIVATE':
      return {
        endpoint: '/orders/reactivate',
        body: canonicalJson({ id: request.orderId, max_price: request.maxCost }),
      };
  }
}

function canonicalJson(fields: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(given));
}
