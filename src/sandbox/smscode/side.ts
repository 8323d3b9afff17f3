import { z } from 'zod';
import { randomFrom } from '../kernel/random.ts';
import { parseAs, type Reply, textReply } from '../kernel/reply.ts';
import { createSettings } from '../kernel/settings.ts';
import type { SandboxRequest, Side, SideContext } from '../kernel/side.ts';
import { type Answer, refused, tooMany, toReply } from './answer.ts';
import { createBuyerControl } from './buyer-control.ts';
import { catalogOf, reactivates } from './catalog/generate.ts';
import { createCatalogQueries } from './catalog/query.ts';
import { createStock } from './catalog/stock.ts';
import { createCatalogOperations } from './catalog-operations.ts';
import { openIdempotencyKeys } from './idempotency.ts';
import { createRateWindow, openAbuseGuard } from './limits.ts';
import { openMoney } from './money.ts';
import { capabilities, eventBody, type Order, type OrderView } from './order.ts';
import { openOrderBook } from './order-book.ts';
import { createOrderOperations } from './order-operations.ts';
import { createPaidOperations } from './paid-operations.ts';
import { createPlanner } from './plan.ts';
import { createWebhookPost, type WebhookPost } from './post-webhook.ts';
import { BUYER_DEFAULTS, buyerSettingsSchema } from './settings.ts';
import { openWebhookConfig, type WebhookStart } from './webhook-config.ts';
import { createWebhookOperations } from './webhook-operations.ts';
import { openWebhooks } from './webhooks.ts';

export type BuyerOptions = {
  readonly webhook?: WebhookStart | undefined;
  /** How webhooks leave; over sockets by default. */
  readonly post?: WebhookPost | undefined;
};

const PREFIX = '/v1';
const TOKEN = 'sandbox-token';
const MINUTE_MS = 60_000;

const balanceSchema = z.int().min(0);

/** SMSCode's /v1, simulated: the reference with its [C] choices. */
export function createBuyerSide(context: SideContext, options: BuyerOptions): Side {
  const { clock, agenda, journal, faults, seed } = context;
  const { book: settings, values } = createSettings(buyerSettingsSchema, BUYER_DEFAULTS, journal);
  const catalog = catalogOf(seed);
  const stock = createStock(catalog, clock, journal);
  const money = openMoney(journal);
  const config = openWebhookConfig(options.webhook ?? {}, randomFrom(seed, 'webhook-secret'), journal);
  const post = options.post ?? createWebhookPost(clock);
  const webhooks = openWebhooks({ clock, agenda, journal, faults, config, settings: values, post });
  const planner = createPlanner(seed, catalog.countries, values);
  const book = openOrderBook({
    clock,
    agenda,
    journal,
    money,
    planner,
    settings: values,
    tell: (event, order) =>
      webhooks.tell(event, order.id, eventBody(event, order, flags(order), clock.now())),
  });
  const queries = createCatalogQueries(catalog, stock);
  const offers = createCatalogOperations({ catalog, stock, queries, settings: values });
  const orders = createOrderOperations({ clock, book, money, settings: values, flags });
  const keys = openIdempotencyKeys(clock, journal);
  const guard = openAbuseGuard(clock, journal, () => values().abuse_guard);
  const paid = createPaidOperations({
    catalog,
    stock,
    book,
    money,
    keys,
    guard,
    settings: values,
    flags,
    canReactivate,
    seed,
  });
  const hooks = createWebhookOperations(config, webhooks);
  const rate = createRateWindow(clock, MINUTE_MS);
  const testRate = createRateWindow(clock, MINUTE_MS);

  function flags(order: Order): OrderView {
    return capabilities(order, clock.now(), canReactivate(order));
  }

  function canReactivate({ id, status, provider }: Order): boolean {
    const { reactivation } = values();
    if (status !== 'COMPLETED' || reactivation === 'never' || book.openChildOf(id)) return false;
    return reactivation === 'always' || reactivates(provider);
  }

  /** Token, size, rate, then the operation's own checks (reference, 14). */
  async function handle(request: SandboxRequest): Promise<Reply> {
    if (request.headers['authorization'] !== `Bearer ${TOKEN}`) {
      return toReply(refused('UNAUTHORIZED', 'No valid token was sent'));
    }
    if (request.body === null) return textReply(413, 'Payload Too Large');
    const wait = rate.take(values().rate_per_minute);
    if (wait !== null) return toReply(tooMany(wait, 'Slow down'));
    return toReply(await operate(request, request.body));
  }

  async function operate(
    { method, path, query, headers, work }: SandboxRequest,
    body: Uint8Array,
  ): Promise<Answer> {
    const key = headers['idempotency-key'];
    switch (`${method} ${path}`) {
      case 'GET /v1/catalog/countries':
        return offers.countries();
      case 'GET /v1/catalog/services':
        return offers.services(query);
      case 'GET /v1/catalog/products':
        return offers.products(query);
      case 'GET /v1/catalog/operators':
        return offers.operators(query);
      case 'GET /v1/catalog/exchange-rate':
        return offers.exchangeRate(query);
      case 'GET /v1/balance':
        return { kind: 'done', data: { currency: 'IDR', balance: money.balance() } };
      case 'GET /v1/orders':
        return orders.list(query);
      case 'GET /v1/orders/active':
        return orders.active();
      case 'POST /v1/orders/create':
        return paid.create({ key, body, work });
      case 'POST /v1/orders/reactivate':
        return paid.reactivate({ key, body, work });
      case 'POST /v1/orders/cancel':
        await work();
        return orders.cancel(body);
      case 'POST /v1/orders/finish':
        await work();
        return orders.finish(body);
      case 'POST /v1/orders/resend':
        await work();
        return orders.resend(body);
      case 'GET /v1/webhook':
        return hooks.read();
      case 'PATCH /v1/webhook':
        return hooks.update(body);
      case 'POST /v1/webhook/test': {
        const wait = testRate.take(values().webhook_tests_per_minute);
        return wait === null ? hooks.test() : tooMany(wait, 'Too many test deliveries');
      }
    }
    const [, id = '', quoted] = /^\/v1\/orders\/([^/]+)(\/reactivate-options)?$/.exec(path) ?? [];
    if (method !== 'GET' || id === '') return refused('NOT_FOUND', 'No such operation');
    return quoted === undefined ? orders.one(id) : paid.reactivateOptions(id);
  }

  return {
    name: 'buyer',
    prefix: PREFIX,
    settings: {
      names: [...settings.names, 'balance'],
      read: () => ({ ...settings.read(), balance: money.balance() }),
      check({ balance, ...others }) {
        const parsed = parseAs(balanceSchema.optional(), balance);
        return parsed.kind === 'wrong' ? `balance: ${parsed.message}` : settings.check(others);
      },
      change({ balance, ...others }) {
        if (balance !== undefined) money.setBalance(balanceSchema.parse(balance));
        settings.change(others);
      },
    },
    handle,
    control: createBuyerControl({ book, catalog, stock, flags }),
    ledger: () => ({
      ...money.ledger(),
      webhooks: { pending: webhooks.pending(), attempts: webhooks.attempts() },
    }),
    tooManyRequests: (seconds) => toReply(tooMany(seconds, 'Slow down')),
    stop: () => webhooks.stop(),
  };
}
