import * as z from 'zod';
import type { Rupiah } from '../../domain/money.ts';
import { type Instant, parseInstant } from '../../domain/time.ts';
import type { WebhookSettings } from '../../ports/numbers-api.ts';
import type { Success } from './envelope.ts';
import { int32, rupiah, rupiahFromZero } from './shapes.ts';

const balance = z.object({ currency: z.literal('IDR'), balance: rupiah });

const quote = z.object({ cost: rupiahFromZero });

const webhookSettings = z.object({
  webhook_url: z.string().nullable(),
  webhook_secret: z.string().nullable(),
  // Strict where orders are lenient: an unreadable time taken for null would say that delivery is on.
  webhook_disabled_at: z.string().transform(toInstant).nullable(),
  webhook_disabled_reason: z.string().nullable(),
  webhook_consecutive_failures: int32,
});

const webhookTest = z.object({ status_code: int32 });

export function readBalance({
  data,
}: Success): { readonly currency: string; readonly amount: Rupiah } | null {
  const told = balance.safeParse(data).data;
  return told === undefined ? null : { currency: told.currency, amount: told.balance };
}

export function readQuote({ data }: Success): Rupiah | null {
  return quote.safeParse(data).data?.cost ?? null;
}

/** The secret comes in clear and goes no further: only whether there is one. */
export function readWebhookSettings({ data }: Success): WebhookSettings | null {
  const told = webhookSettings.safeParse(data).data;
  if (told === undefined) return null;
  return {
    url: told.webhook_url,
    secretSet: told.webhook_secret !== null && told.webhook_secret !== '',
    consecutiveFailures: told.webhook_consecutive_failures,
    disabledAt: told.webhook_disabled_at,
    disabledReason: told.webhook_disabled_reason,
  };
}

export function readWebhookTest({ data }: Success): { readonly statusCode: number } | null {
  const told = webhookTest.safeParse(data).data;
  return told === undefined ? null : { statusCode: told.status_code };
}

function toInstant(text: string, context: z.core.$RefinementCtx): Instant {
  const at = parseInstant(text);
  if (at !== null) return at;
  context.addIssue('is no RFC 3339 instant');
  return z.NEVER;
}
