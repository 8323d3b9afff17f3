import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeliveryContent, deliveryRequest } from '../../../src/domain/supplier/request-body.ts';
import { must, supplierOrderId } from '../../support/values.ts';

const content: DeliveryContent = {
  orderId: supplierOrderId('ord-7'),
  status: 'PARTIAL',
  lines: ['a', 'b'],
  externalId: null,
  externalPrice: null,
};

describe('the request of a delivery', () => {
  it.each<[string, Partial<DeliveryContent>, string]>([
    ['two lines', {}, '{"order":"ord-7","status":"partial","accounts":["a","b"]}'],
    ['closing', { status: 'COMPLETED' }, '{"order":"ord-7","status":"completed","accounts":["a","b"]}'],
    [
      'with the supplier’s own books',
      { externalId: 'x-1', externalPrice: '12.50' },
      '{"order":"ord-7","status":"partial","accounts":["a","b"],"external_id":"x-1","external_price":"12.50"}',
    ],
    [
      'a price of nothing is no silence',
      { externalPrice: '' },
      '{"order":"ord-7","status":"partial","accounts":["a","b"],"external_price":""}',
    ],
    [
      'text as it is',
      { lines: ['"\\:é🎉'] },
      '{"order":"ord-7","status":"partial","accounts":["\\"\\\\:é🎉"]}',
    ],
  ])('%s', (_, change, body) => {
    expect(deliveryRequest({ ...content, ...change })).toEqual({ endpoint: '/orders-update', body });
  });

  it.each([
    [1_000, '/orders-update'],
    [1_001, '/orders/ord-7/accounts-bulk'],
  ])('of %d lines goes to %s', (count, endpoint) => {
    const lines = Array.from({ length: count }, (_, n) => `${n}`);
    expect(deliveryRequest({ ...content, lines }).endpoint).toBe(endpoint);
  });

  const limit = 256 * 1024;
  const empty = Buffer.byteLength(deliveryRequest({ ...content, lines: [''] }).body);
  it.each([
    ['ASCII', 'x', 1],
    ['two bytes each', 'é', 2],
    ['three bytes each', '字', 3],
    ['four bytes each', '🎉', 4],
  ])('is counted in bytes: %s', (_, character, width) => {
    const room = limit - empty;
    const fill = character.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
    const exact = deliveryRequest({ ...content, lines: [fill] });
    expect([Buffer.byteLength(exact.body), exact.endpoint]).toEqual([limit, '/orders-update']);
    const over = deliveryRequest({ ...content, lines: [`${fill}x`] });
    expect(over.endpoint).toBe('/orders/ord-7/accounts-bulk');
  });

  it('in bulk names its order in the path alone, whatever stands in it', () => {
    const lines = Array.from({ length: 1_001 }, () => 'x');
    const { endpoint, body } = deliveryRequest({ ...content, orderId: supplierOrderId('a/b?c#d%'), lines });
    expect(endpoint).toBe('/orders/a%2Fb%3Fc%23d%25/accounts-bulk');
    expect(Object.keys(JSON.parse(body))).toEqual(['status', 'accounts']);
  });

  it('holds the lines as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        const { body } = deliveryRequest({ ...content, lines });
        expect(body.isWellFormed()).toBe(true);
        expect(must(JSON.parse(body)).accounts).toEqual(lines);
      }),
    );
  });
});
