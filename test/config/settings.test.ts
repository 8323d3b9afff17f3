import { describe, expect, it } from 'vitest';
import { type Config, parseConfig } from '../../src/config.ts';

// Live, so that every setting counts.
const live = { SMSCODE_API_TOKEN: 'token', SUPPLIER_API_KEY: 'key' };
const noFile = (): string => {
  throw new Error('no file is read here');
};

function configOf(env: Record<string, string>): Config {
  const parsed = parseConfig({ ...live, ...env }, noFile);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

function problemsOf(env: Record<string, string>) {
  const parsed = parseConfig({ ...live, ...env }, noFile);
  return parsed.kind === 'invalid' ? parsed.problems : [];
}

describe('what is taken', () => {
  it.each<[string, string, (config: Config) => unknown, unknown]>([
    ['HOST', '0.0.0.0', (c) => c.host, '0.0.0.0'],
    ['HOST', '::1', (c) => c.host, '::1'],
    ['HOST', 'gateway.internal', (c) => c.host, 'gateway.internal'],
    ['PORT', '0', (c) => c.port, 0],
    ['PORT', '65535', (c) => c.port, 65_535],
    ['PORT', '  8080 ', (c) => c.port, 8080],
    ['PORT', '', (c) => c.port, 4000],
    ['PORT', '   ', (c) => c.port, 4000],
    ['SANDBOX_PORT', '0', (c) => c.sandboxPort, 0],
    ['LOG_LEVEL', 'silent', (c) => c.logLevel, 'silent'],
    ['DATABASE_URL', 'file:./x.db', (c) => c.database, { kind: 'sqlite', file: './x.db' }],
    ['DATABASE_URL', 'file:x.db', (c) => c.database, { kind: 'sqlite', file: 'x.db' }],
    ['DATABASE_URL', 'file:/var/x.db', (c) => c.database, { kind: 'sqlite', file: '/var/x.db' }],
    ['DATABASE_URL', 'file:///var/x.db', (c) => c.database, { kind: 'sqlite', file: '/var/x.db' }],
    [
      'DATABASE_URL',
      'postgres://u:p@db:5432/switchboard?sslmode=require',
      (c) => c.database,
      { kind: 'postgres', url: 'postgres://u:p@db:5432/switchboard?sslmode=require' },
    ],
    [
      'DATABASE_URL',
      'postgresql:///switchboard?host=/var/run/postgresql',
      (c) => c.database.kind,
      'postgres',
    ],
    ['CATALOG_MAX_AGE_SECONDS', '0', (c) => c.catalogMaxAgeMs, 0],
    ['CATALOG_MAX_AGE_SECONDS', '90', (c) => c.catalogMaxAgeMs, 90_000],
    ['PRODUCT_MAX_AGE_SECONDS', '5', (c) => c.productMaxAgeMs, 5000],
    ['POLL_INTERVAL_SECONDS', '0', (c) => c.pollIntervalMs, 'off'],
    ['POLL_INTERVAL_SECONDS', '1', (c) => c.pollIntervalMs, 1000],
    ['SUPPLIER_PULL_SECONDS', '15', (c) => c.supplierPullIntervalMs, 15_000],
    ['BALANCE_CHECK_SECONDS', '60', (c) => c.balanceCheckIntervalMs, 60_000],
    ['BALANCE_ALERT_BELOW', '0', (c) => c.balanceAlertBelowRupiah, 0],
    ['BALANCE_ALERT_BELOW', '9007199254740991', (c) => c.balanceAlertBelowRupiah, Number.MAX_SAFE_INTEGER],
    ['WEBHOOK_CHECK_SECONDS', '1', (c) => c.webhookCheckIntervalMs, 1000],
    ['RETENTION_DAYS', '0', (c) => c.retentionMs, 0],
    ['RETENTION_DAYS', '7', (c) => c.retentionMs, 604_800_000],
    ['RATE_LIMIT_PER_SECOND', '0', (c) => c.rateLimitPerSecond, 'off'],
    ['RATE_LIMIT_PER_SECOND', '5', (c) => c.rateLimitPerSecond, 5],
    ['MAX_STREAMS_PER_SOCKET', '1', (c) => c.maxStreamsPerSocket, 1],
    ['MAX_STREAMS_PER_KEY', '1', (c) => c.maxStreamsPerKey, 1],
    [
      'CORS_ORIGINS',
      'https://a.example, ,http://localhost:3000',
      (c) => c.corsOrigins,
      ['https://a.example', 'http://localhost:3000'],
    ],
    ['INTROSPECTION', 'off', (c) => c.introspection, false],
    ['GRAPHIQL', 'off', (c) => c.graphiql, false],
    ['TRUST_PROXY', '0', (c) => c.trustProxy, { kind: 'hops', hops: 0 }],
    ['TRUST_PROXY', '2', (c) => c.trustProxy, { kind: 'hops', hops: 2 }],
    [
      'TRUST_PROXY',
      '10.0.0.0/8, ::1',
      (c) => c.trustProxy?.kind === 'addresses' && c.trustProxy.addresses.entries,
      ['10.0.0.0/8', '::1'],
    ],
    ['WEBHOOK_ALLOWED_IPS', '192.0.2.1', (c) => c.webhookAllowedIps?.includes('192.0.2.1'), true],
    ['WEBHOOK_ALLOWED_IPS', '192.0.2.1', (c) => c.webhookAllowedIps?.includes('192.0.2.2'), false],
    [
      'SMSCODE_BASE_URL',
      'https://x.example/v1/',
      (c) => c.buyer.kind === 'on' && c.buyer.baseUrl,
      'https://x.example/v1',
    ],
    [
      'SUPPLIER_BASE_URL',
      'http://127.0.0.1:1/',
      (c) => c.supplier.kind === 'on' && c.supplier.baseUrl,
      'http://127.0.0.1:1',
    ],
    [
      'SMSCODE_WEBHOOK_SECRET',
      ' new , old,',
      (c) => c.buyer.kind === 'on' && c.buyer.webhookSecrets,
      ['new', 'old'],
    ],
    ['UPSTREAM_CONCURRENCY', '1', (c) => c.supplier.kind === 'on' && c.supplier.maxConcurrent, 1],
    ['UPSTREAM_CONCURRENCY', '20', (c) => c.supplier.kind === 'on' && c.supplier.maxConcurrent, 2],
    ['UPSTREAM_CONCURRENCY', '20', (c) => c.buyer.kind === 'on' && c.buyer.maxConcurrent, 20],
    [
      'ALERT_WEBHOOK_URL',
      'https://hooks.example/x?y=z',
      (c) => c.alerts,
      { kind: 'webhook', url: 'https://hooks.example/x?y=z', signingKey: undefined },
    ],
  ])('%s=%s', (name, text, pick, value) => {
    expect(pick(configOf({ [name]: text }))).toEqual(value);
  });

  it('keys in base64, base64url and hex, newest first', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
    const texts = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
    const { encryptionKeys } = configOf({ ENCRYPTION_KEY: texts.join(', ') });
    expect(encryptionKeys.map((key) => key.export())).toEqual([bytes, bytes, bytes]);
  });

  it.each(['whsec_', ''])('an alert secret with %j before it', (prefix) => {
    const bytes = Buffer.alloc(24, 7);
    const { alerts } = configOf({
      ALERT_WEBHOOK_URL: 'https://hooks.example/x',
      ALERT_WEBHOOK_SECRET: prefix + bytes.toString('base64'),
    });
    expect(alerts.kind === 'webhook' && alerts.signingKey?.export()).toEqual(bytes);
  });
});

describe('what is refused', () => {
  const wholeNumber = 'is not a whole number in plain digits';
  it.each([
    ['PORT', '65536', 'is too large'],
    ['PORT', '-1', wholeNumber],
    ['PORT', '80.5', wholeNumber],
    ['PORT', '1e3', wholeNumber],
    ['PORT', '0x50', wholeNumber],
    ['PORT', 'http', wholeNumber],
    ['SANDBOX_PORT', '70000', 'is too large'],
    ['HOST', 'http://x', 'is no host name or address'],
    ['HOST', '[::1]', 'is no host name or address'],
    ['HOST', '127.0.0.1:4000', 'is no host name or address'],
    ['HOST', '1:2', 'is no host name or address'],
    ['HOST', 'a b', 'is no host name or address'],
    ['LOG_LEVEL', 'INFO', 'is none of its words'],
    ['LOG_LEVEL', 'verbose', 'is none of its words'],
    ['INTROSPECTION', 'true', 'is neither on nor off'],
    ['GRAPHIQL', '1', 'is neither on nor off'],
    ['POLL_INTERVAL_SECONDS', '0.5', wholeNumber],
    ['POLL_INTERVAL_SECONDS', '86401', 'is too large'],
    ['SUPPLIER_PULL_SECONDS', '-5', wholeNumber],
    ['BALANCE_CHECK_SECONDS', '0', 'is too small'],
    ['WEBHOOK_CHECK_SECONDS', '0', 'is too small'],
    ['BALANCE_ALERT_BELOW', '9007199254740993', 'is too large'],
    ['BALANCE_ALERT_BELOW', '1,000', wholeNumber],
    ['UPSTREAM_CONCURRENCY', '0', 'is too small'],
    ['UPSTREAM_CONCURRENCY', '257', 'is too large'],
    ['MAX_STREAMS_PER_SOCKET', '0', 'is too small'],
    ['MAX_STREAMS_PER_KEY', '0', 'is too small'],
    ['RATE_LIMIT_PER_SECOND', '-1', wholeNumber],
    ['RETENTION_DAYS', '4000', 'is too large'],
    ['DATABASE_URL', './x.db', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'file:', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'file::memory:', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'file:./data/', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'file://host/x.db', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'file:x.db?mode=memory', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'postgres://host', 'names neither a SQLite file nor a PostgreSQL database'],
    ['DATABASE_URL', 'mysql://host/x', 'names neither a SQLite file nor a PostgreSQL database'],
    ['REDIS_URL', 'localhost:6379', 'is no Redis address'],
    ['REDIS_URL', 'redis://', 'is no Redis address'],
    ['REDIS_URL', 'http://localhost', 'is no Redis address'],
    ['SMSCODE_BASE_URL', 'http://api.smscode.gg/v1', 'is plain http to another machine'],
    ['SUPPLIER_BASE_URL', 'https://169.254.169.254', 'names a link-local, metadata or unroutable host'],
    ['ALERT_WEBHOOK_URL', 'http://hooks.example', 'is plain http to another machine'],
    ['ALERT_WEBHOOK_SECRET', 'whsec_short', 'is no Standard Webhooks secret'],
    [
      'ALERT_WEBHOOK_SECRET',
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      'is no Standard Webhooks secret',
    ],
    ['ALERT_WEBHOOK_SECRET', `whsec_${'!'.repeat(40)}`, 'is no Standard Webhooks secret'],
    ['ENCRYPTION_KEY', 'c2hvcnQ=', 'entry 1 is not 32 bytes in base64 or hex'],
    ['ENCRYPTION_KEY', `${'ab'.repeat(32)},${'ab'.repeat(31)}`, 'entry 2 is not 32 bytes in base64 or hex'],
    ['ENCRYPTION_KEY', ',', 'is an empty list'],
    ['SMSCODE_API_TOKEN', 'two words', 'holds a blank or a character that no HTTP header takes'],
    ['SMSCODE_API_TOKEN', 'a\r\nX-Other: b', 'holds a blank or a character that no HTTP header takes'],
    ['SUPPLIER_API_KEY', 'schlüssel', 'holds a blank or a character that no HTTP header takes'],
    ['SMSCODE_WEBHOOK_SECRET', 'one\ntwo', 'entry 1 holds a line break or another control character'],
    ['WEBHOOK_ALLOWED_IPS', '192.0.2.1,example.com', 'entry 2 is no IP address or network'],
    ['WEBHOOK_ALLOWED_IPS', '10.0.0.0/33', 'entry 1 is no IP address or network'],
    ['WEBHOOK_ALLOWED_IPS', ' , ', 'is an empty list'],
    ['TRUST_PROXY', 'true', 'is neither a number of hops nor a list of addresses'],
    ['TRUST_PROXY', '100', 'is neither a number of hops nor a list of addresses'],
    ['TRUST_PROXY', ',', 'is neither a number of hops nor a list of addresses'],
    ['CORS_ORIGINS', '*', 'entry 1 is no exact origin'],
    ['CORS_ORIGINS', 'null', 'entry 1 is no exact origin'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/', 'entry 2 is no exact origin'],
    ['CORS_ORIGINS', 'https://*.example', 'entry 1 is no exact origin'],
    ['CORS_ORIGINS', 'https://A.example', 'entry 1 is no exact origin'],
    ['CORS_ORIGINS', 'https://a.example:443', 'entry 1 is no exact origin'],
  ])('%s=%s', (name, text, wrong) => {
    expect(problemsOf({ [name]: text })).toEqual([
      { name, wrong, remedy: expect.stringMatching(/^Give .+\.$/) },
    ]);
  });

  it('names every mistake in one go, each with what to do', () => {
    const problems = problemsOf({
      PORT: 'x',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: '*,https://a.example,*',
      SMSCODE_BASE_URL: 'http://api.example',
      SUPPLIER_API_KEY_FILE: '/a/file',
    });
    expect(problems.map(({ name, wrong }) => `${name} ${wrong}`)).toEqual([
      'SUPPLIER_API_KEY is set, and so is SUPPLIER_API_KEY_FILE',
      'SMSCODE_BASE_URL is plain http to another machine',
      'PORT is not a whole number in plain digits',
      'LOG_LEVEL is none of its words',
      'CORS_ORIGINS entry 1 is no exact origin',
      'CORS_ORIGINS entry 3 is no exact origin',
    ]);
    expect(problems.every(({ remedy }) => remedy.endsWith('.'))).toBe(true);
  });
});
