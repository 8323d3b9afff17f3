import { readBackoff } from '../../domain/backoff.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { OrderSnapshot } from '../../domain/orders/order.ts';
import { earliest, type Instant, later, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { NumbersApi, ReadReply } from '../../ports/numbers-api.ts';
import type { Random } from '../../ports/random.ts';
import type { Gate } from '../gate.ts';
import { type Http, type HttpCall, type HttpResult, MIB } from '../http.ts';
import { isJsonArray } from '../json.ts';
import { readBalance, readQuote, readWebhookSettings, readWebhookTest } from './account-wire.ts';
import { cancelReply, finishReply, resendReply } from './action-reply.ts';
import {
  readCountries,
  readExchangeRate,
  readOperators,
  readProductPage,
  readServices,
} from './catalog-wire.ts';
import type { Success } from './envelope.ts';
import { paidReply } from './paid-reply.ts';
import { PAGE_LIMIT, readAllPages } from './product-pages.ts';
import { readReply } from './read-reply.ts';
import { readSnapshot } from './snapshot.ts';

/** One call, connecting included: the contract's, and shorter than the lease of a send. */
const WHOLE_CALL = 30 * SECOND;

/** How often a throttled read is tried again. More would only hold up its caller, who may ask again himself. */
const MOST_RETRIES = 3;

/** A page of the catalog, and the list of all open orders: as long as the account's business. */
const LARGE = 64 * MIB;

export interface SmscodeParts {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  /** What the provider is told to sign webhooks with; null: whatever it has, or makes up. */
  readonly webhookSecret: string | null;
  readonly http: Http;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'upstreamCall'>;
}

/** What a call is besides the token and the deadline. Paid calls and actions are urgent: reads wait behind them. */
interface Request extends Pick<HttpCall, 'operation' | 'method' | 'headers' | 'body' | 'mostBytes'> {
  readonly path: string;
}

/** The buyer-side upstream (smscode-v1.md). Nothing but a throttled GET is ever sent twice in here. */
export function createSmscodeApi(parts: SmscodeParts): NumbersApi {
  const { baseUrl, token, http, gate, clock, random, log, metrics } = parts;
  const secret = parts.webhookSecret === null ? {} : { webhook_secret: parts.webhookSecret };

  async function send<Reply extends { readonly kind: string }>(
    { path, ...request }: Request,
    deadline: Instant,
    judge: (result: HttpResult) => Reply,
  ): Promise<Reply> {
    const askedAt = clock.now();
    const passed = await gate.pass(request.method !== 'GET', deadline, () =>
      http.call({ ...request, url: baseUrl + path, token, deadline }),
    );
    const result: HttpResult =
      passed.kind === 'done'
        ? passed.value
        : { kind: 'no-answer', why: 'timeout', elapsedMs: clock.now() - askedAt };
    const reply = judge(result);
    metrics.upstreamCall('buyer', request.operation, reply.kind, result.elapsedMs);
    return reply;
  }

  function sendNow<Reply extends { readonly kind: string }>(
    request: Request,
    judge: (result: HttpResult) => Reply,
  ): Promise<Reply> {
    return send(request, later(clock.now(), WHOLE_CALL), judge);
  }

  async function get<Value>(
    request: Pick<Request, 'operation' | 'path' | 'mostBytes'>,
    parse: (success: Success, readAt: Instant) => Value | null,
    until: Instant = later(clock.now(), WHOLE_CALL),
  ): Promise<ReadReply<Value>> {
    for (let retry = 0; ; retry++) {
      const readAt = clock.now();
      const deadline = earliest(until, later(readAt, WHOLE_CALL));
      const reply = await send({ ...request, method: 'GET' }, deadline, (result) =>
        readReply(result, readAt, (success) => parse(success, readAt)),
      );
      if (reply.kind !== 'throttled' || retry === MOST_RETRIES) return reply;
      const wait = readBackoff(retry, reply.retryAfterSeconds, random.unit());
      if (wait >= until - clock.now()) return reply;
      await clock.sleep(wait);
    }
  }

  /** A change whose answer is read like a read's, and which is not repeated. */
  function change<Value>(
    request: Request,
    parse: (success: Success) => Value | null,
  ): Promise<ReadReply<Value>> {
    const readAt = clock.now();
    return sendNow(request, (result) => readReply(result, readAt, parse));
  }

  function act<Reply extends { readonly kind: string }>(
    action: 'cancel' | 'finish' | 'resend',
    id: OrderId,
    judge: (result: HttpResult, id: OrderId) => Reply,
  ): Promise<Reply> {
    const request = {
      operation: action,
      method: 'POST',
      path: `/orders/${action}`,
      body: json({ id }),
    } as const;
    return sendNow(request, (result) => judge(result, id));
  }

  return {
    products: (filter) =>
      readAllPages(
        (page) =>
          get(
            {
              operation: 'products',
              path: `/catalog/products${query({
                country_id: filter.countryId,
                platform_id: filter.platformId,
                operator_id: filter.operatorId,
                limit: PAGE_LIMIT,
                page,
                // A tier keeps its name for life. In the default order, by price, it could slip past us between two pages.
                sort: 'name_asc',
              })}`,
              mostBytes: LARGE,
            },
            (success, asOf) => readProductPage(success, asOf, filter.operatorId),
          ),
        log,
      ),
    countries: () => get({ operation: 'countries', path: '/catalog/countries' }, readCountries),
    services: (countryId) =>
      get(
        { operation: 'services', path: `/catalog/services${query({ country_id: countryId ?? undefined })}` },
        readServices,
      ),
    operators: (countryId, platformId) =>
      get(
        {
          operation: 'operators',
          path: `/catalog/operators${query({ country_id: countryId, platform_id: platformId })}`,
        },
        readOperators,
      ),
    exchangeRate: (pair) =>
      get(
        { operation: 'exchange-rate', path: `/catalog/exchange-rate${query({ pair })}` },
        (success, readAt) => readExchangeRate(success, pair, readAt),
      ),
    balance: () => get({ operation: 'balance', path: '/balance' }, readBalance),
    order: (id, deadline) =>
      get(
        { operation: 'order', path: `/orders/${segment(id)}` },
        ({ data }) => readSnapshot(data, id),
        deadline,
      ),
    activeOrders: () =>
      get({ operation: 'active-orders', path: '/orders/active', mostBytes: LARGE }, readActiveOrders),
    orders: ({ limit, offset }) =>
      get({ operation: 'orders', path: `/orders${query({ limit, offset })}` }, readOrders),
    sendPaid: ({ endpoint, body, idempotencyKey }) =>
      sendNow(
        {
          operation: endpoint === '/orders/reactivate' ? 'reactivate' : 'create',
          method: 'POST',
          path: endpoint,
          headers: { 'idempotency-key': idempotencyKey },
          body,
        },
        paidReply,
      ),
    cancel: (id) => act('cancel', id, cancelReply),
    finish: (id) => act('finish', id, finishReply),
    resend: (id) => act('resend', id, resendReply),
    reactivationQuote: (id) =>
      get({ operation: 'reactivation-quote', path: `/orders/${segment(id)}/reactivate-options` }, readQuote),
    webhook: () => get({ operation: 'webhook', path: '/webhook' }, readWebhookSettings),
    setWebhookUrl: (url) =>
      change(
        {
          operation: 'set-webhook',
          method: 'PATCH',
          path: '/webhook',
          body: json({ webhook_url: url, ...secret }),
        },
        readWebhookSettings,
      ),
    testWebhook: () =>
      change({ operation: 'test-webhook', method: 'POST', path: '/webhook/test' }, readWebhookTest),
  };
}

/** Each element is judged by itself: one that is no snapshot spoils no other order's message. */
function readActiveOrders({ data }: Success) {
  if (!isJsonArray(data)) return null;
  const orders = data.map((item) => readSnapshot(item, null)).filter((order) => order !== null);
  return { orders, spoiled: data.length - orders.length };
}

/** All or none: the end of this list is told by its length alone, which an element left out would falsify. */
function readOrders({ data }: Success): readonly OrderSnapshot[] | null {
  if (!isJsonArray(data)) return null;
  const orders = data.map((item) => readSnapshot(item, null)).filter((order) => order !== null);
  return orders.length === data.length ? orders : null;
}

function query(fields: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

/** An id is a number by its type; encoded all the same, so that no path can ever be built from one that is not. */
function segment(id: number): string {
  return encodeURIComponent(id);
}

function json(fields: Readonly<Record<string, string | number>>): string {
  return JSON.stringify(fields);
}
