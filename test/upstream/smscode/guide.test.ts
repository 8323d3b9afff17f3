import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../../src/domain/time.ts';
import { createWebhookReader } from '../../../src/upstream/smscode/webhook.ts';
import { answered, everything, fakeUpstream } from '../support/fake-upstream.ts';
import { key, order } from '../support/ids.ts';
import { guide } from './guide-payloads.ts';

const at = (text: string) => parseInstant(text);
const apiOver = (body: string, status = 200) => fakeUpstream(() => answered(status, body));
const MESSAGE = "Your WhatsApp code: 847291. Don't share this code.";

describe('the guide’s examples', () => {
  it('the catalog', async () => {
    const { api, startedAt } = apiOver(guide.products);
    expect(await api.products(everything)).toEqual({
      kind: 'read',
      readAt: startedAt,
      value: [
        {
          id: 1024,
          name: 'WhatsApp - Indonesia',
          catalogProductId: 88,
          countryId: 7,
          platformId: 1,
          operatorId: null,
          operatorName: null,
          available: 142,
          price: 15_000,
          active: true,
          asOf: startedAt,
        },
      ],
    });
  });

  it('a create', async () => {
    const { api } = apiOver(guide.created);
    const reply = await api.sendPaid({ endpoint: '/orders/create', body: '{}', idempotencyKey: key('job') });
    expect(reply).toEqual({
      kind: 'made',
      failedCount: 0,
      orders: [
        {
          id: 90210,
          status: 'ACTIVE',
          phoneNumber: '+919876543210',
          otpReceivedAt: null,
          expiresAt: at('2026-03-16T10:30:00Z'),
          failedReason: null,
          productId: 1024,
          catalogProductId: 88,
          operatorId: null,
          operatorName: null,
          amount: 750_000,
          capabilities: {
            canFinish: false,
            canResend: false,
            canCancel: false,
            canReplace: false,
            canReactivate: false,
            resendAvailableAt: null,
            cancelAvailableAt: at('2026-03-16T10:02:00Z'),
            replaceAvailableAt: at('2026-03-16T10:02:00Z'),
          },
          evidence: null,
        },
      ],
    });
  });

  it('an order that waits, in five fields', async () => {
    expect(await apiOver(guide.orderWaiting).api.order(order(90210))).toMatchObject({
      kind: 'read',
      value: {
        id: 90210,
        status: 'ACTIVE',
        phoneNumber: '+919876543210',
        expiresAt: at('2026-03-16T10:30:00Z'),
        capabilities: { canCancel: true },
        evidence: null,
      },
    });
  });

  it('an order with its message, and no code', async () => {
    const reply = await apiOver(guide.orderWithSms).api.order(order(90210));
    expect(reply).toMatchObject({
      kind: 'read',
      value: { status: 'OTP_RECEIVED', evidence: { revision: 1, message: MESSAGE, otpCode: null } },
    });
    // What the projection left out is not told, rather than told as null.
    expect(reply.kind === 'read' && Object.keys(reply.value).sort()).toEqual([
      'capabilities',
      'evidence',
      'id',
      'otpReceivedAt',
      'phoneNumber',
      'status',
    ]);
  });

  it('an order that has expired, in three fields', async () => {
    expect(await apiOver(guide.orderExpired).api.order(order(90210))).toMatchObject({
      kind: 'read',
      value: { id: 90210, status: 'EXPIRED', capabilities: { canCancel: false }, evidence: null },
    });
  });

  it('a cancel', async () => {
    expect(await apiOver(guide.canceled).api.cancel(order(90210))).toEqual({
      kind: 'receipt',
      receipt: { refundAmount: 750_000, newBalance: 2_000_000 },
    });
  });

  it('the balance', async () => {
    const { api, startedAt } = apiOver(guide.balance);
    expect(await api.balance()).toEqual({
      kind: 'read',
      value: { currency: 'IDR', amount: 50_000 },
      readAt: startedAt,
    });
  });

  it('a failure', async () => {
    const { api } = apiOver(guide.failure, 422);
    expect(await api.balance()).toEqual({ kind: 'refused', httpStatus: 422, code: 'VALIDATION_ERROR' });
  });

  it('a webhook', () => {
    const body = new TextEncoder().encode(guide.webhook);
    const reader = createWebhookReader([]);
    expect(reader.envelope(body)).toEqual({
      kind: 'event',
      dedupeKey: 'order.otp_received:90210:1',
      event: 'order.otp_received',
      orderId: 90210,
      revision: 1,
    });
    const event = reader.event(body);
    expect(event).toMatchObject({
      kind: 'sms',
      orderId: 90210,
      evidence: { revision: 1, message: MESSAGE, otpCode: null },
      facts: { phoneNumber: '+919876543210', productId: 1024, capabilities: { canFinish: true } },
    });
    const emittedAt = event.kind === 'sms' ? event.facts.emittedAt : null;
    expect(emittedAt !== null && formatInstant(emittedAt)).toBe('2026-08-10T09:15:30.000Z');
  });
});
