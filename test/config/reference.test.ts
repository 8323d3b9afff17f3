import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { configReference } from '../../src/config/settings.ts';
import { parseConfig } from '../../src/config.ts';

const root = new URL('../../', import.meta.url);

describe('the reference', () => {
  it('has every setting of the contract with its default, the additions, and nothing else', () => {
    expect(Object.fromEntries(configReference.map(({ name, default: text }) => [name, text ?? '-']))).toEqual(
      {
        SMSCODE_API_TOKEN: '-',
        SMSCODE_BASE_URL: 'https://api.smscode.gg/v1',
        SMSCODE_WEBHOOK_SECRET: '-',
        SUPPLIER_API_KEY: '-',
        SUPPLIER_BASE_URL: 'https://api.hstockplus.com/api/admin/v2',
        DATABASE_URL: 'file:./data/switchboard.db',
        REDIS_URL: '-',
        HOST: '127.0.0.1',
        PORT: '4000',
        SANDBOX_PORT: '4010',
        LOG_LEVEL: 'info',
        CATALOG_MAX_AGE_SECONDS: '60',
        PRODUCT_MAX_AGE_SECONDS: '10',
        POLL_INTERVAL_SECONDS: '10',
        UPSTREAM_CONCURRENCY: '8',
        BALANCE_CHECK_SECONDS: '3600',
        BALANCE_ALERT_BELOW: '-',
        ALERT_WEBHOOK_URL: '-',
        WEBHOOK_CHECK_SECONDS: '300',
        SUPPLIER_PULL_SECONDS: '0',
        RETENTION_DAYS: '30',
        WEBHOOK_ALLOWED_IPS: '-',
        TRUST_PROXY: '-',
        CORS_ORIGINS: '-',
        RATE_LIMIT_PER_SECOND: '200',
        MAX_STREAMS_PER_SOCKET: '1000',
        MAX_STREAMS_PER_KEY: '10000',
        INTROSPECTION: 'on',
        GRAPHIQL: 'on',
        // Additions to the contract.
        NODE_ENV: '-',
        TRUSTED_DOCUMENTS: '-',
        ALERT_WEBHOOK_SECRET: '-',
        ENCRYPTION_KEY: '-',
      },
    );
  });

  it('knows what is secret', () => {
    expect(configReference.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'SMSCODE_API_TOKEN',
      'SMSCODE_WEBHOOK_SECRET',
      'SUPPLIER_API_KEY',
      'DATABASE_URL',
      'REDIS_URL',
      'ALERT_WEBHOOK_SECRET',
      'ENCRYPTION_KEY',
    ]);
  });
});

describe('.env.example and docs/configuration.md', () => {
  it('are what the schema says', () => {
    const script = ['--import', 'tsx', 'scripts/generate-config-docs.ts', '--check'];
    expect(() => execFileSync(process.execPath, script, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it('changes nothing when copied as it stands', () => {
    expect(parseEnv(read('.env.example'))).toEqual({});
  });

  it('means the defaults when every # before a setting is taken away', () => {
    const settings = parseEnv(read('.env.example').replaceAll(/^#(?=[A-Z])/gm, ''));
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(configReference.map(({ name }) => name)));
    const parsed = parseConfig({ ...settings, SMSCODE_API_TOKEN: 'token', SUPPLIER_API_KEY: 'key' });
    const bare = parseConfig({ SMSCODE_API_TOKEN: 'token', SUPPLIER_API_KEY: 'key' });
    expect(parsed).toEqual(bare);
  });

  it('names every setting, and the file of every secret, in the page', () => {
    const page = read('docs/configuration.md');
    for (const { name, secret } of configReference) {
      expect(page).toContain(`| \`${name}\`${secret ? `, \`${name}_FILE\`` : ''} |`);
    }
  });
});

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
