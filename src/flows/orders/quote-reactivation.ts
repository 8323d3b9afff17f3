import type { Visibility } from '../../domain/access.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';

export const quoteRefusals = ['NOT_FOUND', 'CONFLICT', 'PROVIDER_ERROR'] as const;
export type QuoteRefusal = (typeof quoteRefusals)[number];

export type QuoteOutcome =
  | {
      readonly kind: 'ReactivationQuote';
      readonly orderId: OrderId;
      readonly cost: Rupiah;
      readonly asOf: Instant;
    }
  | { readonly kind: 'ReactivationUnavailable'; readonly orderId: OrderId; readonly code: QuoteRefusal };

export type QuoteResult =
  | { readonly kind: 'outcome'; readonly outcome: QuoteOutcome }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/** What renting the number again would cost at this moment. Asks the number's supplier each time, and promises nothing. */
export async function quoteReactivation(
  deps: Deps,
  scope: Visibility,
  orderId: OrderId,
): Promise<QuoteResult> {
  const order = await deps.store.orders.find(scope, orderId);
  if (order === null) return unavailable(orderId, 'NOT_FOUND');
  const quote = await deps.numbers.reactivationQuote(orderId);
  if (quote.kind === 'read') {
    const outcome: QuoteOutcome = {
      kind: 'ReactivationQuote',
      orderId,
      cost: quote.value,
      asOf: quote.readAt,
    };
    return { kind: 'outcome', outcome };
  }
  const refusal = quote.kind === 'refused' ? quoteRefusals.find((code) => code === quote.code) : undefined;
  return refusal === undefined ? { kind: 'fault', fault: quote } : unavailable(orderId, refusal);
}

function unavailable(orderId: OrderId, code: QuoteRefusal): QuoteResult {
  return { kind: 'outcome', outcome: { kind: 'ReactivationUnavailable', orderId, code } };
}
