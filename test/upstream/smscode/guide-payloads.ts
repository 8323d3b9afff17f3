/** The example payloads of the provider's guide, as they stand there: the projections of an order have chosen fields only. */
export const guide = {
  failure: `{
  "success": false,
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "मानव-पठनीय विवरण"
  }
}`,
  products: `{
  "success": true,
  "data": [
    {
      "id": 1024,
      "name": "WhatsApp - Indonesia",
      "catalog_product_id": 88,
      "country_id": 7,
      "platform_id": 1,
      "available": 142,
      "price": 15000,
      "active": true
    }
  ],
  "meta": { "page": 1, "limit": 1000, "count": 1 }
}`,
  created: `{
  "success": true,
  "data": {
    "orders": [{
      "id": 90210,
      "status": "ACTIVE",
      "phone_number": "+919876543210",
      "otp_code": null,
      "otp_received_at": null,
      "expires_at": "2026-03-16T10:30:00Z",
      "failed_reason": null,
      "product_id": 1024,
      "catalog_product_id": 88,
      "operator_id": null,
      "operator_name": null,
      "amount": 750000,
      "can_finish": false,
      "can_resend": false,
      "can_cancel": false,
      "can_replace": false,
      "can_reactivate": false,
      "resend_available_at": null,
      "cancel_available_at": "2026-03-16T10:02:00Z",
      "replace_available_at": "2026-03-16T10:02:00Z"
    }],
    "failed_count": 0
  }
}`,
  orderWaiting: `{
  "success": true,
  "data": {
    "id": 90210,
    "phone_number": "+919876543210",
    "status": "ACTIVE",
    "can_cancel": true,
    "expires_at": "2026-03-16T10:30:00Z"
  }
}`,
  orderWithSms: `{
  "success": true,
  "data": {
    "id": 90210,
    "phone_number": "+919876543210",
    "status": "OTP_RECEIVED",
    "otp_code": null,
    "otp_message": "Your WhatsApp code: 847291. Don't share this code.",
    "sms_revision": 1,
    "can_cancel": false,
    "otp_received_at": "2026-03-16T10:12:35Z"
  }
}`,
  orderExpired: `{
  "success": true,
  "data": {
    "id": 90210,
    "status": "EXPIRED",
    "can_cancel": false
  }
}`,
  canceled: `{
  "success": true,
  "data": {
    "order_id": 90210,
    "status": "CANCELED",
    "refund_amount": 750000,
    "new_balance": 2000000
  }
}`,
  balance: `{
  "success": true,
  "data": {
    "currency": "IDR",
    "balance": 50000
  }
}`,
  webhook: `{
  "event": "order.otp_received",
  "timestamp": "2026-08-10T09:15:30Z",
  "data": {
    "order_id": 90210,
    "phone_number": "+919876543210",
    "otp_code": null,
    "otp_message": "Your WhatsApp code: 847291. Don't share this code.",
    "sms_revision": 1,
    "product_id": 1024,
    "catalog_product_id": 88,
    "country": "India",
    "platform": "WhatsApp",
    "operator_id": null,
    "operator_name": null,
    "can_finish": true,
    "can_resend": false,
    "can_cancel": false,
    "can_replace": false,
    "can_reactivate": false,
    "resend_available_at": null,
    "cancel_available_at": null,
    "replace_available_at": null
  }
}`,
} as const;
