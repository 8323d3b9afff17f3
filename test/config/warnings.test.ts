import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';

const live = { SMSCODE_API_TOKEN: 'token', SUPPLIER_API_KEY: 'key' };

function warningsOf(env: Record<string, string>): string[] {
  return parseConfig(env).warnings.map(({ name, wrong, remedy }) => `${name} ${wrong}. ${remedy}`);
}

describe('a warning', () => {
  it.each<[Record<string, string>, string]>([
    [{ SMSCODE_WEBHOOK_SECRETS: 'x' }, 'Did you mean SMSCODE_WEBHOOK_SECRET?'],
    [{ SMSCODE_API_TOKE: 'x' }, 'Did you mean SMSCODE_API_TOKEN?'],
    [{ smscode_api_token: 'x' }, 'Did you mean SMSCODE_API_TOKEN?'],
    [{ SMCODE_BASE_URLS: 'x' }, 'Did you mean SMSCODE_BASE_URL?'],
    [{ DATABASE_URI: 'x' }, 'Did you mean DATABASE_URL?'],
    [{ DATABASE_URL_FIL: 'x' }, 'Did you mean DATABASE_URL_FILE?'],
    [{ REDIS_URI: 'x' }, 'Did you mean REDIS_URL?'],
    [{ GRAPHQL: 'on' }, 'Did you mean GRAPHIQL?'],
    [{ POLL_INTERVAL_SECOND: '5' }, 'Did you mean POLL_INTERVAL_SECONDS?'],
    [{ SMSCODE_TOKEN: 'x' }, 'See docs/configuration.md for the names.'],
    [{ SUPPLIER_SECRET: 'x' }, 'See docs/configuration.md for the names.'],
  ])('is given for %o', (env, remedy) => {
    const [name] = Object.keys(env);
    expect(warningsOf(env)).toEqual([`${name} is no setting. ${remedy}`]);
  });

  it.each([
    { HOME: '/root', HOSTNAME: 'box', PATH: '/bin', PWD: '/', SHELL: 'sh', POST: '1', HOSTS: '1', SORT: '1' },
    { TEST_DATABASE_URL: 'x', TEST_REDIS_URL: 'x', NODE_OPTIONS: 'x', DATABASE: 'x', LOG: 'x' },
  ])('is not given for what is somebody else’s: %o', (env) => {
    expect(warningsOf(env)).toEqual([]);
  });

  it.each<[Record<string, string>, string]>([
    [{ REDIS_URL: 'redis://cache' }, 'REDIS_URL does nothing with SQLite'],
    [{ WEBHOOK_ALLOWED_IPS: '192.0.2.1' }, 'WEBHOOK_ALLOWED_IPS judges by the address that connects'],
    [{ REDIS_URL: 'redis://cache', DATABASE_URL: 'file:x.db' }, 'REDIS_URL does nothing with SQLite'],
    [{ SMSCODE_BASE_URL: 'https://x.example' }, 'SMSCODE_BASE_URL does nothing without SMSCODE_API_TOKEN'],
    [{ SMSCODE_WEBHOOK_SECRET: 'x' }, 'SMSCODE_WEBHOOK_SECRET does nothing without SMSCODE_API_TOKEN'],
    [{ SUPPLIER_BASE_URL: 'https://x.example' }, 'SUPPLIER_BASE_URL does nothing without SUPPLIER_API_KEY'],
    [
      { ALERT_WEBHOOK_SECRET: Buffer.alloc(24).toString('base64') },
      'ALERT_WEBHOOK_SECRET does nothing without ALERT_WEBHOOK_URL',
    ],
    [
      { ...live, POLL_INTERVAL_SECONDS: '0' },
      'POLL_INTERVAL_SECONDS is 0 and no SMSCODE_WEBHOOK_SECRET is set',
    ],
    [{ DATABASE_URL: 'postgres://db/x' }, 'ENCRYPTION_KEY is not set: messages'],
    [{ BALANCE_CHECK_SECONDS: '7200' }, 'BALANCE_CHECK_SECONDS is more than an hour'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV is none of production, development and test'],
  ])('is given for %o', (env, text) => {
    expect(warningsOf(env)).toEqual([expect.stringContaining(text)]);
  });

  it.each([
    { ...live, POLL_INTERVAL_SECONDS: '0', SMSCODE_WEBHOOK_SECRET: 'x' },
    { ...live, SMSCODE_BASE_URL: 'https://x.example', SUPPLIER_BASE_URL: 'https://y.example' },
    { REDIS_URL: 'redis://cache', DATABASE_URL: 'postgres://db/x', ENCRYPTION_KEY: 'ab'.repeat(32) },
    { NODE_ENV: 'test', BALANCE_CHECK_SECONDS: '3600' },
  ])('is not given for %o', (env) => {
    expect(parseConfig(env)).toMatchObject({ kind: 'ok', warnings: [] });
  });

  it('is given beside problems too: a mistyped name is often their cause', () => {
    const parsed = parseConfig({ NODE_ENV: 'production', SMSCODE_API_TOKENS: 'x' });
    expect(parsed).toMatchObject({ kind: 'invalid', warnings: [{ name: 'SMSCODE_API_TOKENS' }] });
  });

  it('leaves no Redis in the configuration where it does nothing', () => {
    expect(parseConfig({ REDIS_URL: 'redis://cache' })).toMatchObject({ config: { redisUrl: undefined } });
  });
});
