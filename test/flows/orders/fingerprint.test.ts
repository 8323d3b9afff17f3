import { expect, it } from 'vitest';
import { fingerprint } from '../../../src/flows/orders/fingerprint.ts';

it.each([
  // printf '/orders/create\0{"catalog_product_id":88,"quantity":1}' | sha256sum
  [
    '/orders/create',
    '{"catalog_product_id":88,"quantity":1}',
    '34eb28d751759a92813463c717ac5fa6b4869e501f5c6bb742996da83f71d75c',
  ],
  [
    '/orders/create',
    '{"prefer_provider":"é🎉"}',
    '552057960baf4dfeec9c522d645900f076fc21f9a92d7bb3e1b0d8c6eb4cdb4e',
  ],
])('is the SHA-256 of endpoint, NUL and body as UTF-8: %s %s', (endpoint, body, hex) => {
  expect(fingerprint(endpoint, body)).toBe(hex);
});

it('keeps apart what the endpoint ends with and the body begins with', () => {
  expect(fingerprint('/orders', '/create{}')).not.toBe(fingerprint('/orders/create', '{}'));
});
