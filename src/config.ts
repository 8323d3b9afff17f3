import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { AddressSet } from './config/addresses.ts';
import type { ConfigProblem } from './config/problem.ts';
import { crossProblems, findWarnings, isProduction, isSandbox } from './config/rules.ts';
import { errorCode, gatherTexts } from './config/secret-files.ts';
import { configReference, configSchema, type Settings } from './config/settings.ts';
import type { Database, TrustedProxies } from './config/values.ts';

/** The whole configuration, checked. Durations are milliseconds; nothing in it changes after start. */
export type Config = {
  /** sandbox: both upstreams run simulated inside. live: a side without its secret is off. */
  readonly mode: 'sandbox' | 'live';
  readonly production: boolean;
  readonly buyer: BuyerConfig;
  readonly supplier: SupplierConfig;
  /** Requests under way at once to one upstream; each side's own bound is its maxConcurrent. */
  readonly upstreamConcurrency: number;
  readonly database: Readonly<Database>;
  /** Undefined with SQLite, whatever is set. */
  readonly redisUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly sandboxPort: number;
  readonly logLevel: Settings['LOG_LEVEL'];
  readonly catalogMaxAgeMs: number;
  readonly productMaxAgeMs: number;
  readonly pollIntervalMs: number | 'off';
  readonly supplierPullIntervalMs: number | 'off';
  readonly balanceCheckIntervalMs: number;
  readonly balanceAlertBelowRupiah: number | undefined;
  readonly webhookCheckIntervalMs: number;
  readonly alerts: AlertConfig;
  /** Undefined: anyone may call the webhook route and is judged by the signature alone. */
  readonly webhookAllowedIps: AddressSet | undefined;
  /** Undefined: X-Forwarded-For is nobody's to say. */
  readonly trustProxy: Readonly<TrustedProxies> | undefined;
  readonly corsOrigins: readonly string[];
  readonly rateLimitPerSecond: number | 'off';
  readonly maxStreamsPerSocket: number;
  readonly maxStreamsPerKey: number;
  readonly introspection: boolean;
  readonly graphiql: boolean;
  /** The manifest of the only documents executed; undefined: any. */
  readonly trustedDocumentsFile: string | undefined;
  readonly retentionMs: number;
  /** Newest first. None: with SQLite a key is made beside the database, with PostgreSQL nothing is sealed. */
  readonly encryptionKeys: readonly KeyObject[];
};

export type BuyerConfig =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      readonly token: string;
      /** Without a trailing slash. */
      readonly baseUrl: string;
      /** Newest first; none: every webhook is refused, and polling alone finds messages. */
      readonly webhookSecrets: readonly string[];
      readonly maxConcurrent: number;
    };

export type SupplierConfig =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      readonly apiKey: string;
      /** Without a trailing slash. */
      readonly baseUrl: string;
      readonly maxConcurrent: number;
    };

export type AlertConfig =
  | { readonly kind: 'log' }
  | { readonly kind: 'webhook'; readonly url: string; readonly signingKey: KeyObject | undefined };

export type ParsedConfig =
  | { readonly kind: 'ok'; readonly config: Config; readonly warnings: readonly ConfigProblem[] }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly ConfigProblem[];
      readonly warnings: readonly ConfigProblem[];
    };

/** serve needs upstreams; a command that only touches the store (keys, migrate) runs in production without their secrets. */
export type ConfigNeed = 'serve' | 'store';

type Environment = Readonly<Record<string, string | undefined>>;

// The supplier counts calls under way per key and refuses the third (supplier contract).
const supplierMaxConcurrent = 2;

/**
 * Checks an environment as a whole: every mistake is named in one go, and no secret's value stands in any text.
 * `readFile` reads what the *_FILE variables name, and may throw.
 */
export function parseConfig(
  env: Environment,
  readFile: (path: string) => string = readText,
  need: ConfigNeed = 'serve',
): ParsedConfig {
  const gathered = gatherTexts(env, readFile);
  const parsed = configSchema.safeParse(
    Object.fromEntries(configReference.map(({ name }) => [name, gathered.texts[name]])),
  );
  const warnings = findWarnings(env, gathered);
  const problems = [
    ...gathered.problems,
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => valueProblem(path, message))),
    ...crossProblems(gathered, need),
  ];
  if (!parsed.success || problems.length > 0) return { kind: 'invalid', problems, warnings };
  const config = assemble(
    parsed.data,
    isSandbox(gathered) ? 'sandbox' : 'live',
    isProduction(gathered.texts),
  );
  return { kind: 'ok', config, warnings };
}

/** Reads the process's environment and `.env` in the directory; where both name a setting, the environment wins. */
export function loadConfig(need: ConfigNeed = 'serve', directory: string = process.cwd()): ParsedConfig {
  let fromFile: Environment = {};
  let unreadable: ConfigProblem | undefined;
  try {
    fromFile = parseEnv(readText(join(directory, '.env')));
  } catch (error) {
    const code = errorCode(error);
    const remedy = 'Make it a file that this process can read, or remove it.';
    if (code !== ' (ENOENT)') unreadable = { name: '.env', wrong: `cannot be read${code}`, remedy };
  }
  const nodeEnv = fromFile['NODE_ENV'];
  // Libraries ask the process itself: only so does graphql-ws keep exception texts out of its close reasons.
  if (nodeEnv !== undefined) process.env['NODE_ENV'] ??= nodeEnv;
  const parsed = parseConfig({ ...fromFile, ...process.env }, readText, need);
  if (unreadable === undefined) return parsed;
  const found = parsed.kind === 'invalid' ? parsed.problems : [];
  return { kind: 'invalid', problems: [unreadable, ...found], warnings: parsed.warnings };
}

/** The same configuration with the simulated upstreams where they really listen; for a SANDBOX_PORT of 0. */
export function withSandboxPort(config: Config, port: number): Config {
  return Object.freeze({ ...config, sandboxPort: port, ...sandboxSides(port, config.upstreamConcurrency) });
}

function assemble(settings: Settings, mode: Config['mode'], production: boolean): Config {
  const database = settings.DATABASE_URL;
  const port = settings.SANDBOX_PORT;
  const sides = mode === 'sandbox' ? sandboxSides(port, settings.UPSTREAM_CONCURRENCY) : liveSides(settings);
  return deepFreeze({
    mode,
    production,
    ...sides,
    upstreamConcurrency: settings.UPSTREAM_CONCURRENCY,
    database,
    redisUrl: database.kind === 'postgres' ? settings.REDIS_URL : undefined,
    host: settings.HOST,
    port: settings.PORT,
    sandboxPort: settings.SANDBOX_PORT,
    logLevel: settings.LOG_LEVEL,
    catalogMaxAgeMs: settings.CATALOG_MAX_AGE_SECONDS,
    productMaxAgeMs: settings.PRODUCT_MAX_AGE_SECONDS,
    pollIntervalMs: settings.POLL_INTERVAL_SECONDS,
    supplierPullIntervalMs: settings.SUPPLIER_PULL_SECONDS,
    balanceCheckIntervalMs: settings.BALANCE_CHECK_SECONDS,
    balanceAlertBelowRupiah: settings.BALANCE_ALERT_BELOW,
    webhookCheckIntervalMs: settings.WEBHOOK_CHECK_SECONDS,
    alerts:
      settings.ALERT_WEBHOOK_URL === undefined
        ? { kind: 'log' }
        : { kind: 'webhook', url: settings.ALERT_WEBHOOK_URL, signingKey: settings.ALERT_WEBHOOK_SECRET },
    webhookAllowedIps: settings.WEBHOOK_ALLOWED_IPS,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS ?? [],
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    maxStreamsPerSocket: settings.MAX_STREAMS_PER_SOCKET,
    maxStreamsPerKey: settings.MAX_STREAMS_PER_KEY,
    introspection: settings.INTROSPECTION ?? !production,
    graphiql: settings.GRAPHIQL ?? !production,
    trustedDocumentsFile: settings.TRUSTED_DOCUMENTS,
    retentionMs: settings.RETENTION_DAYS,
    encryptionKeys: settings.ENCRYPTION_KEY ?? [],
  });
}

type Sides = Pick<Config, 'buyer' | 'supplier'>;

function liveSides(settings: Settings): Sides {
  const {
    SMSCODE_API_TOKEN: token,
    SUPPLIER_API_KEY: apiKey,
    UPSTREAM_CONCURRENCY: maxConcurrent,
  } = settings;
  const webhookSecrets = settings.SMSCODE_WEBHOOK_SECRET ?? [];
  return {
    buyer:
      token === undefined
        ? { kind: 'off' }
        : { kind: 'on', token, baseUrl: settings.SMSCODE_BASE_URL, webhookSecrets, maxConcurrent },
    supplier:
      apiKey === undefined
        ? { kind: 'off' }
        : {
            kind: 'on',
            apiKey,
            baseUrl: settings.SUPPLIER_BASE_URL,
            maxConcurrent: Math.min(supplierMaxConcurrent, maxConcurrent),
          },
  };
}

function sandboxSides(port: number, maxConcurrent: number): Sides {
  const address = `http://127.0.0.1:${port}`;
  return {
    buyer: {
      kind: 'on',
      token: 'sandbox-token',
      baseUrl: `${address}/v1`,
      webhookSecrets: ['sandbox-secret'],
      maxConcurrent,
    },
    supplier: {
      kind: 'on',
      apiKey: 'sandbox-key',
      baseUrl: `${address}/api/admin/v2`,
      maxConcurrent: Math.min(supplierMaxConcurrent, maxConcurrent),
    },
  };
}

/** The message of an issue that no setting's reader wrote is about the value as a whole. */
function valueProblem(path: readonly PropertyKey[], message: string): ConfigProblem {
  const [name, entry] = path;
  const takes = configReference.find((setting) => setting.name === name)?.takes ?? 'a value that fits';
  const wrong = typeof entry === 'number' ? `entry ${entry + 1} ${message}` : message;
  return { name: String(name), wrong, remedy: `Give ${takes}.` };
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Freezes plain objects and arrays; keys and address sets cannot be changed from outside anyway. */
function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) {
    const plain = Array.isArray(inner) || (inner instanceof Object && inner.constructor === Object);
    if (plain) deepFreeze(inner);
  }
  return Object.freeze(value);
}
