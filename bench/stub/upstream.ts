// The upstream that every contender calls: answers at once, and remembers nothing. CATALOG_SIZE tiers; OPEN_ORDERS in its list.
import { createServer } from 'node:http';
import {
  COUNTRIES,
  FIRST_CREATED_ORDER,
  labels,
  PLATFORMS,
  productPage,
  upstreamOrder,
} from '../harness/data.ts';

const size = Number(process.env['CATALOG_SIZE'] ?? 5_000);
const open = Number(process.env['OPEN_ORDERS'] ?? 0);
/** As bytes: a peer that hands each question on asks for the same pages again and again. */
const pages = new Map<string, Buffer>();
let made = 0;

const openOrders = JSON.stringify({
  success: true,
  data: Array.from({ length: open }, (_, at) => {
    const { phone_number, amount, product_id, ...order } = upstreamOrder(1_000 + at, 1);
    return { ...order, otp_message: null, sms_revision: 0, otp_received_at: null, failed_reason: null };
  }),
  meta: { count: open },
});

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://stub');
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(answer(request.method ?? 'GET', url));
  });
});

function answer(method: string, url: URL): string | Buffer {
  const path = url.pathname.replace(/^\/v1/, '');
  switch (`${method} ${path}`) {
    case 'POST /orders/create': {
      made += 1;
      const order = upstreamOrder(FIRST_CREATED_ORDER + made, 1);
      return JSON.stringify({ success: true, data: { orders: [order], failed_count: 0 } });
    }
    case 'GET /catalog/products': {
      const page = Number(url.searchParams.get('page') ?? 1);
      const limit = Number(url.searchParams.get('limit') ?? 100);
      const key = `${page}/${limit}`;
      const known = pages.get(key) ?? Buffer.from(productPage(size, page, limit));
      pages.set(key, known);
      return known;
    }
    case 'GET /catalog/countries':
      return labels(COUNTRIES, 'country');
    case 'GET /catalog/services':
      return labels(PLATFORMS, 'service');
    case 'GET /orders/active':
      return openOrders;
    case 'GET /balance':
      return JSON.stringify({ success: true, data: { balance: 1_000_000_000, currency: 'IDR' } });
    default: {
      const id = Number(/^\/orders\/(\d+)$/.exec(path)?.[1] ?? 0);
      const more = {
        created_at: '2026-01-01T00:00:00+00:00',
        otp_message: null,
        sms_revision: 0,
        otp_received_at: null,
      };
      return JSON.stringify({
        success: true,
        data: { ...upstreamOrder(id, 1), ...more, canceled_at: null, failed_reason: null },
      });
    }
  }
}

server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
