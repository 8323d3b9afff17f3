/** What every contender serves: made by number alone, so that no file has to be carried along. */
export const PRICE_STEP = 50;
export const COUNTRIES = 50;
export const PLATFORMS = 100;
export const FIRST_CREATED_ORDER = 500_000_000;

/** The prepared text of one page of the upstream's catalog of `size` tiers (from 1). */
export function productPage(size: number, page: number, limit: number): string {
  const rows = [];
  for (let row = (page - 1) * limit; row < Math.min(size, page * limit); row++) {
    const country = (row % COUNTRIES) + 1;
    const platform = (Math.floor(row / COUNTRIES) % PLATFORMS) + 1;
    rows.push({
      id: 10_000 + row,
      name: `Platform ${platform} - Country ${country}`,
      country_id: country,
      platform_id: platform,
      available: 1 + ((row * 7919) % 1_000),
      price: 1_000 + ((row * 104_729) % 90_000) * PRICE_STEP,
      active: true,
      catalog_product_id: 1 + row,
      operator_id: null,
      operator_name: null,
    });
  }
  return JSON.stringify({ success: true, data: rows, meta: { page, limit, count: rows.length } });
}

export function labels(count: number, what: 'country' | 'service'): string {
  const rows = Array.from({ length: count }, (_, at) =>
    what === 'country'
      ? { id: at + 1, code: null, name: `Country ${at + 1}`, dial_code: '62', emoji: null, active: true }
      : { id: at + 1, code: `platform-${at + 1}`, name: `Platform ${at + 1}`, active: true },
  );
  return JSON.stringify({ success: true, data: rows });
}

/** One order as the upstream tells it, in a create's answer and in the list of open orders. */
export function upstreamOrder(id: number, catalogProductId: number): Record<string, unknown> {
  return {
    id,
    status: 'ACTIVE',
    product_id: 9_999 + catalogProductId,
    amount: 5_000,
    otp_code: null,
    can_finish: false,
    can_resend: false,
    can_cancel: false,
    can_replace: false,
    can_reactivate: false,
    resend_available_at: null,
    cancel_available_at: '2030-01-01T00:02:00+00:00',
    replace_available_at: null,
    phone_number: `+628${String(id).padStart(9, '0')}`,
    expires_at: '2030-01-01T00:20:00+00:00',
    catalog_product_id: catalogProductId,
    operator_id: null,
    operator_name: null,
  };
}

export function smsEvent(orderId: number, revision: number): string {
  return JSON.stringify({
    event: 'order.otp_received',
    timestamp: '2026-09-02T06:44:02+00:00',
    data: {
      order_id: orderId,
      phone_number: `+628${String(orderId).padStart(9, '0')}`,
      otp_code: '482913',
      otp_message: 'Your verification code is 482913. Do not share it with anybody.',
      sms_revision: revision,
      product_id: 10_000,
      catalog_product_id: 1,
      country: { id: 1, name: 'Country 1' },
      platform: { id: 1, name: 'Platform 1' },
      operator_id: null,
      operator_name: null,
      can_finish: true,
      can_resend: true,
      can_cancel: false,
      can_replace: false,
      can_reactivate: false,
      resend_available_at: null,
      cancel_available_at: null,
      replace_available_at: null,
    },
  });
}
