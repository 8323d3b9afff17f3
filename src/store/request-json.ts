import { parseCatalogProductId, parseOperatorId, parseOrderId } from '../domain/ids.ts';
import { isInt32 } from '../domain/int.ts';
import { parseRupiah } from '../domain/money.ts';
import type { AttemptRequest, Routing } from '../domain/orders/attempt.ts';

const policies = ['CHEAPEST', 'BEST_SUCCESS'] as const;

/** A request as a column keeps it. JSON in a text column: PostgreSQL's own JSON type refuses the NUL that a text may hold. */
export function requestToJson(request: AttemptRequest): string {
  return JSON.stringify(request);
}

/** Null for anything that `requestToJson` does not write. */
export function requestFromJson(json: string): AttemptRequest | null {
  const fields = parseObject(json);
  if (fields === null) return null;
  switch (fields.get('kind')) {
    case 'CREATE': {
      const catalogProductId = parseCatalogProductId(fields.get('catalogProductId'));
      const quantity = fields.get('quantity');
      const maxUnitPrice = nullable(fields.get('maxUnitPrice'), parseRupiah);
      const routing = nullable(fields.get('routing'), parseRouting);
      if (catalogProductId === null || !isInt32(quantity)) return null;
      if (maxUnitPrice === undefined || routing === undefined) return null;
      return { kind: 'CREATE', catalogProductId, quantity, maxUnitPrice, routing };
    }
    case 'REACTIVATE': {
      const orderId = parseOrderId(fields.get('orderId'));
      const maxCost = parseRupiah(fields.get('maxCost'));
      return orderId === null || maxCost === null ? null : { kind: 'REACTIVATE', orderId, maxCost };
    }
    default:
      return null;
  }
}

function parseRouting(value: unknown): Routing | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const operatorId = nullable(fields.get('operatorId'), parseOperatorId);
  const minPrice = nullable(fields.get('minPrice'), parseRupiah);
  const policy = nullable(fields.get('policy'), (given) => policies.find((known) => known === given) ?? null);
  const preferProvider = nullable(fields.get('preferProvider'), (given) =>
    typeof given === 'string' ? given : null,
  );
  if (operatorId === undefined || minPrice === undefined) return null;
  if (policy === undefined || preferProvider === undefined) return null;
  return { operatorId, minPrice, policy, preferProvider };
}

/** Undefined where the value is neither null nor parsable. */
function nullable<Value>(value: unknown, parse: (value: unknown) => Value | null): Value | null | undefined {
  return value === null ? null : (parse(value) ?? undefined);
}

function parseObject(json: string): Map<string, unknown> | null {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}
