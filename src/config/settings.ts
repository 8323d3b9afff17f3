import { z } from 'zod';
import * as read from './values.ts';

/** What is known of one setting beside its value: what .env.example and docs/configuration.md are made from. */
export type About = {
  readonly group: Group;
  readonly meaning: string;
  /** What may be given, in words. */
  readonly takes: string;
  /** What stands where nothing is set, as it would be written; undefined: nothing. */
  readonly default: string | undefined;
  /** A secret may also be given as NAME_FILE, the path of a file that holds it, and is never shown. */
  readonly secret: boolean;
};

export type Group = 'Upstreams' | 'Store' | 'Server' | 'Freshness' | 'Watches and alerts' | 'Limits' | 'Data';

type Spec = { group: Group; meaning: string; secret?: boolean };

const about = z.registry<About>();

/** Every setting. Each takes its text, already trimmed, or undefined where it is not set. */
export const configSchema = z.object({
  SMSCODE_API_TOKEN: optional(read.headerSecret, {
    group: 'Upstreams',
    meaning: 'buyer upstream: its bearer token; left out in live mode, the buyer side is off',
    secret: true,
  }),
  SMSCODE_BASE_URL: withDefault('https://api.smscode.gg/v1', read.upstreamAddress, {
    group: 'Upstreams',
    meaning: 'buyer upstream: where its API begins',
  }),
  SMSCODE_WEBHOOK_SECRET: optional(read.signingSecrets, {
    group: 'Upstreams',
    meaning:
      'buyer upstream: what its webhooks are signed with; older secrets are still accepted while rotating. Without it every webhook is refused and polling alone finds messages',
    secret: true,
  }),
  SUPPLIER_API_KEY: optional(read.headerSecret, {
    group: 'Upstreams',
    meaning: 'supplier upstream: its API key; left out in live mode, the supplier side is off',
    secret: true,
  }),
  SUPPLIER_BASE_URL: withDefault('https://api.hstockplus.com/api/admin/v2', read.upstreamAddress, {
    group: 'Upstreams',
    meaning: 'supplier upstream: where its API begins',
  }),
  UPSTREAM_CONCURRENCY: withDefault('8', read.wholeNumber(1, 256), {
    group: 'Upstreams',
    meaning: "requests under way at once to each upstream (the supplier's is never over 2)",
  }),

  DATABASE_URL: withDefault('file:./data/switchboard.db', read.databaseAddress, {
    group: 'Store',
    meaning: 'SQLite file (one instance) or PostgreSQL (any number of instances)',
    secret: true,
  }),
  REDIS_URL: optional(read.redisAddress, {
    group: 'Store',
    meaning:
      'wakes other instances at once; without it they find news in PostgreSQL by themselves within a second',
    secret: true,
  }),

  NODE_ENV: optional(read.anyText, {
    group: 'Server',
    meaning:
      'production refuses to start without an upstream secret (the sandbox never runs there unasked) and turns INTROSPECTION and GRAPHIQL off',
  }),
  HOST: withDefault('127.0.0.1', read.hostName, {
    group: 'Server',
    meaning: 'where the gateway listens; 0.0.0.0 or :: is every network',
  }),
  PORT: withDefault('4000', read.wholeNumber(0, 65_535), {
    group: 'Server',
    meaning: 'port of the gateway; 0 takes any free one',
  }),
  SANDBOX_PORT: withDefault('4010', read.wholeNumber(0, 65_535), {
    group: 'Server',
    meaning: 'port of the simulated upstreams, on loopback, in sandbox mode; 0 takes any free one',
  }),
  LOG_LEVEL: withDefault('info', read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    group: 'Server',
    meaning: 'JSON lines on stdout; pretty on a terminal',
  }),
  WEBHOOK_ALLOWED_IPS: optional(read.addresses, {
    group: 'Server',
    meaning: 'who may call the webhook route at all; left out: anyone with a good signature',
  }),
  TRUST_PROXY: optional(read.trustedProxies, {
    group: 'Server',
    meaning: "whose X-Forwarded-For is believed; left out: nobody's",
  }),
  CORS_ORIGINS: optional(read.exactOrigins, {
    group: 'Server',
    meaning: 'web pages of which origins may call; none are allowed where left out',
  }),
  INTROSPECTION: productionOff({
    group: 'Server',
    meaning: 'whether the graph may be asked for its own schema',
  }),
  GRAPHIQL: productionOff({
    group: 'Server',
    meaning: 'whether a browser gets GraphiQL at /graphql; left out with NODE_ENV=production: off',
  }),
  TRUSTED_DOCUMENTS: optional(read.path, {
    group: 'Server',
    meaning:
      'only the documents of this manifest, and those of the console, are executed, on every transport, in GraphiQL too; left out: whatever is sent, within the limits',
  }),

  CATALOG_MAX_AGE_SECONDS: withDefault('60', read.seconds(0), {
    group: 'Freshness',
    meaning: 'catalog cache: how old an answer may be',
  }),
  PRODUCT_MAX_AGE_SECONDS: withDefault('10', read.seconds(0), {
    group: 'Freshness',
    meaning: 'how fresh a product must be at a paid create',
  }),
  POLL_INTERVAL_SECONDS: withDefault('10', read.secondsOrOff(), {
    group: 'Freshness',
    meaning: 'how often running orders are read for messages that no webhook brought',
  }),
  SUPPLIER_PULL_SECONDS: withDefault('0', read.secondsOrOff(), {
    group: 'Freshness',
    meaning: 'automatic puller: how often pending supplier orders are claimed',
  }),

  BALANCE_CHECK_SECONDS: withDefault('3600', read.seconds(1), {
    group: 'Watches and alerts',
    meaning: 'how often the balance is read; the provider asks for once an hour at least',
  }),
  BALANCE_ALERT_BELOW: optional(read.wholeNumber(0, Number.MAX_SAFE_INTEGER), {
    group: 'Watches and alerts',
    meaning: 'rupiah below which the balance is low and an alert goes out',
  }),
  WEBHOOK_CHECK_SECONDS: withDefault('300', read.seconds(1), {
    group: 'Watches and alerts',
    meaning:
      "how often the provider's webhook settings are read; an alert when delivery is disabled or failing",
  }),
  ALERT_WEBHOOK_URL: optional(read.webhookTarget, {
    group: 'Watches and alerts',
    meaning: 'where alerts are posted; left out: they stand in the log alone',
  }),
  ALERT_WEBHOOK_SECRET: optional(read.standardWebhookSecret, {
    group: 'Watches and alerts',
    meaning: 'signs the alerts by Standard Webhooks',
    secret: true,
  }),

  RATE_LIMIT_PER_SECOND: withDefault('200', read.countOrOff(1_000_000), {
    group: 'Limits',
    meaning: 'requests of one key, with a burst of twice that',
  }),
  MAX_STREAMS_PER_SOCKET: withDefault('1000', read.wholeNumber(1, 1_000_000), {
    group: 'Limits',
    meaning: 'open subscriptions of one WebSocket',
  }),
  MAX_STREAMS_PER_KEY: withDefault('10000', read.wholeNumber(1, 1_000_000), {
    group: 'Limits',
    meaning: 'open subscriptions of one key',
  }),

  RETENTION_DAYS: withDefault('30', read.days(3650), {
    group: 'Data',
    meaning: 'message texts, codes, phone numbers and delivered lines of final orders are erased after this',
  }),
  ENCRYPTION_KEY: optional(read.encryptionKeys, {
    group: 'Data',
    meaning: 'encrypts message texts, codes, phone numbers and lines at rest; older keys still decrypt',
    secret: true,
  }),
});

export type Settings = z.output<typeof configSchema>;
export type SettingName = keyof Settings;

/** Every setting in the schema's order, with what the documents say of it. */
export const configReference: readonly ({ readonly name: SettingName } & About)[] = configSchema
  .keyof()
  .options.flatMap((name) => {
    const known = about.get(configSchema.shape[name]);
    return known === undefined ? [] : [{ name, ...known }];
  });

function optional<Value>(
  reader: read.Reader<Value>,
  spec: Spec,
): z.ZodType<Value | undefined, string | undefined> {
  return described(reader.schema.optional(), reader.takes, undefined, spec);
}

function withDefault<Value>(
  text: string,
  reader: read.Reader<Value>,
  spec: Spec,
): z.ZodType<Value, string | undefined> {
  return described(reader.schema.prefault(text), reader.takes, text, spec);
}

/** On unless NODE_ENV says production: undefined here, decided where both are known. */
function productionOff(spec: Spec): z.ZodType<boolean | undefined, string | undefined> {
  const { schema, takes } = read.onOrOff;
  return described(schema.optional(), takes, 'on', spec);
}

function described<Schema extends z.ZodType>(
  schema: Schema,
  takes: string,
  fallback: string | undefined,
  { group, meaning, secret = false }: Spec,
): Schema {
  about.add(schema, { group, meaning, takes, default: fallback, secret });
  return schema;
}
