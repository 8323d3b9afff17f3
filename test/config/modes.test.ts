import { describe, expect, it } from 'vitest';
import { parseConfig, withSandboxPort } from '../../src/config.ts';

const sandboxBuyer = {
  kind: 'on',
  token: 'sandbox-token',
  baseUrl: 'http://127.0.0.1:4010/v1',
  webhookSecrets: ['sandbox-secret'],
  maxConcurrent: 8,
};
const sandboxSupplier = {
  kind: 'on',
  apiKey: 'sandbox-key',
  baseUrl: 'http://127.0.0.1:4010/api/admin/v2',
  maxConcurrent: 2,
};

describe('with nothing set', () => {
  it('is the sandbox, with every default of the contract', () => {
    expect(parseConfig({})).toEqual({
      kind: 'ok',
      config: {
        mode: 'sandbox',
        production: false,
        buyer: sandboxBuyer,
        supplier: sandboxSupplier,
        upstreamConcurrency: 8,
        database: { kind: 'sqlite', file: './data/switchboard.db' },
        redisUrl: undefined,
        host: '127.0.0.1',
        port: 4000,
        sandboxPort: 4010,
        logLevel: 'info',
        catalogMaxAgeMs: 60_000,
        productMaxAgeMs: 10_000,
        pollIntervalMs: 10_000,
        supplierPullIntervalMs: 'off',
        balanceCheckIntervalMs: 3_600_000,
        balanceAlertBelowRupiah: undefined,
        webhookCheckIntervalMs: 300_000,
        alerts: { kind: 'log' },
        webhookAllowedIps: undefined,
        trustProxy: undefined,
        corsOrigins: [],
        rateLimitPerSecond: 200,
        maxStreamsPerSocket: 1000,
        maxStreamsPerKey: 10_000,
        introspection: true,
        graphiql: true,
        retentionMs: 2_592_000_000,
        encryptionKeys: [],
      },
      warnings: [],
    });
  });

  it('cannot be changed afterwards', () => {
    const parsed = parseConfig({});
    if (parsed.kind === 'invalid') throw new Error('the defaults are valid');
    expect(Object.isFrozen(parsed.config)).toBe(true);
    expect(Object.isFrozen(parsed.config.buyer)).toBe(true);
    expect(Object.isFrozen(parsed.config.corsOrigins)).toBe(true);
    expect(parsed.config.buyer.kind === 'on' && Object.isFrozen(parsed.config.buyer.webhookSecrets)).toBe(
      true,
    );
  });

  it('follows the sandbox to the port it really got', () => {
    const parsed = parseConfig({ SANDBOX_PORT: '0' });
    if (parsed.kind === 'invalid') throw new Error('0 is a valid port');
    const config = withSandboxPort(parsed.config, 51_234);
    expect(config.sandboxPort).toBe(51_234);
    expect(config.buyer).toEqual({ ...sandboxBuyer, baseUrl: 'http://127.0.0.1:51234/v1' });
    expect(config.supplier).toEqual({ ...sandboxSupplier, baseUrl: 'http://127.0.0.1:51234/api/admin/v2' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([{ PORT: '4010' }, { SANDBOX_PORT: '4000' }, { PORT: '5000', SANDBOX_PORT: '5000' }])(
    'refuses one port for two servers: %o',
    (env) => {
      expect(parseConfig(env)).toMatchObject({
        kind: 'invalid',
        problems: [{ name: 'SANDBOX_PORT', wrong: 'is PORT too' }],
      });
    },
  );

  it('lets both ports be any free one', () => {
    expect(parseConfig({ PORT: '0', SANDBOX_PORT: '0' })).toMatchObject({ kind: 'ok' });
  });
});

describe('live', () => {
  it('is live on the buyer side as soon as its token is set; the supplier side is off', () => {
    expect(parseConfig({ SMSCODE_API_TOKEN: 'token' })).toMatchObject({
      kind: 'ok',
      config: {
        mode: 'live',
        buyer: {
          kind: 'on',
          token: 'token',
          baseUrl: 'https://api.smscode.gg/v1',
          webhookSecrets: [],
          maxConcurrent: 8,
        },
        supplier: { kind: 'off' },
      },
      warnings: [],
    });
  });

  it('is live on the supplier side as soon as its key is set; the buyer side is off', () => {
    expect(parseConfig({ SUPPLIER_API_KEY: 'key' })).toMatchObject({
      kind: 'ok',
      config: {
        mode: 'live',
        buyer: { kind: 'off' },
        supplier: {
          kind: 'on',
          apiKey: 'key',
          baseUrl: 'https://api.hstockplus.com/api/admin/v2',
          maxConcurrent: 2,
        },
      },
    });
  });

  it('does not mind the sandbox’s port', () => {
    expect(parseConfig({ SUPPLIER_API_KEY: 'key', PORT: '4010' })).toMatchObject({ kind: 'ok' });
  });

  it('is not live by blanks', () => {
    expect(parseConfig({ SMSCODE_API_TOKEN: ' ', SUPPLIER_API_KEY: '' })).toMatchObject({
      kind: 'ok',
      config: { mode: 'sandbox' },
    });
  });
});

describe('production', () => {
  it('refuses to serve without an upstream secret', () => {
    expect(parseConfig({ NODE_ENV: 'production' })).toMatchObject({
      kind: 'invalid',
      problems: [{ name: 'NODE_ENV', wrong: expect.stringContaining('never runs in production unasked') }],
    });
  });

  it('says so beside every other mistake', () => {
    const parsed = parseConfig({ NODE_ENV: 'production', PORT: 'x' });
    expect(parsed.kind === 'invalid' && parsed.problems.map(({ name }) => name)).toEqual([
      'PORT',
      'NODE_ENV',
    ]);
  });

  it('blames only the file where the secret was given in one that cannot be read', () => {
    const unreadable = (): string => {
      throw new Error('no');
    };
    const parsed = parseConfig({ NODE_ENV: 'production', SMSCODE_API_TOKEN_FILE: '/run/token' }, unreadable);
    expect(parsed.kind === 'invalid' && parsed.problems.map(({ name }) => name)).toEqual([
      'SMSCODE_API_TOKEN_FILE',
    ]);
  });

  it('lets a command that needs only the store run, with both sides off and no sandbox', () => {
    expect(parseConfig({ NODE_ENV: 'production' }, undefined, 'store')).toMatchObject({
      kind: 'ok',
      config: { mode: 'live', production: true, buyer: { kind: 'off' }, supplier: { kind: 'off' } },
    });
  });

  it('turns introspection and GraphiQL off, unless told', () => {
    const env = { NODE_ENV: 'production', SUPPLIER_API_KEY: 'key' };
    expect(parseConfig(env)).toMatchObject({ config: { introspection: false, graphiql: false } });
    expect(parseConfig({ ...env, INTROSPECTION: 'on', GRAPHIQL: 'on' })).toMatchObject({
      config: { introspection: true, graphiql: true },
    });
  });
});
