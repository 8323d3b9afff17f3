import { z } from 'zod';

/** Fractions are allowed: a test's second may be a short one. */
const seconds = z.number().min(0).max(315_360_000);
const limit = z.int().min(0).nullable();

/** POST /_sandbox/settings, the buyer's part; `balance` is added by the side, as it lives in the ledger. */
export const buyerSettingsSchema = z.object({
  minimum_cancel_seconds: seconds,
  rental_seconds: seconds,
  resend_cooldown_seconds: seconds,
  /** `auto`: mostly at once, now and then about a second. */
  number_delay_seconds: z.union([seconds, z.literal('auto')]),
  /** `auto`: about four seconds, now and then without a code or two in quick succession; a number: one, with a code, exactly then; null: none by itself. */
  sms_delay_seconds: z.union([seconds, z.literal('auto'), z.null()]),
  /** false: none are sent; what happens meanwhile is never told. */
  webhooks: z.boolean(),
  /** The waits before each further attempt; after the last one the event is dropped. */
  webhook_retry_seconds: z.array(seconds).max(100),
  webhook_timeout_seconds: seconds,
  /** null: no limit. */
  rate_per_minute: limit,
  cancels_per_day: limit,
  webhook_tests_per_minute: limit,
  abuse_guard: z.boolean(),
  /** Whether a completed order's number can be had again; `auto`: where its supplier can. */
  reactivation: z.enum(['auto', 'always', 'never']),
  /** Whole rupiah; null: a part of what the parent cost. */
  reactivation_cost: z.int().min(0).nullable(),
  /** Rupiah for one dollar. */
  exchange_rate: z.int().min(1),
});

export type BuyerSettings = z.output<typeof buyerSettingsSchema>;

/** The reference's [C] choices (sections 12 and 14). */
export const BUYER_DEFAULTS: BuyerSettings = {
  minimum_cancel_seconds: 120,
  rental_seconds: 1200,
  resend_cooldown_seconds: 30,
  number_delay_seconds: 'auto',
  sms_delay_seconds: 'auto',
  webhooks: true,
  webhook_retry_seconds: [5, 30, 120, 600, 1800],
  webhook_timeout_seconds: 10,
  rate_per_minute: 300,
  cancels_per_day: 200,
  webhook_tests_per_minute: 5,
  abuse_guard: true,
  reactivation: 'auto',
  reactivation_cost: null,
  exchange_rate: 16_000,
};
