import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configReference } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'config-'));
  for (const { name } of configReference) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(`${name}_FILE`, undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

describe('loading', () => {
  it('needs no .env', () => {
    expect(loadConfig('serve', directory)).toMatchObject({
      kind: 'ok',
      config: { mode: 'sandbox', port: 4000 },
    });
  });

  it('reads .env, and lets the environment win', () => {
    writeFileSync(
      join(directory, '.env'),
      '# ours\nPORT=5000\nSANDBOX_PORT="5010"\nLOG_LEVEL=warn # quiet\n',
    );
    vi.stubEnv('PORT', '6000');
    expect(loadConfig('serve', directory)).toMatchObject({
      kind: 'ok',
      config: { port: 6000, sandboxPort: 5010, logLevel: 'warn' },
    });
  });

  it('lets a blank in the environment take a setting of .env away', () => {
    writeFileSync(join(directory, '.env'), 'SMSCODE_API_TOKEN=token\n');
    expect(loadConfig('serve', directory)).toMatchObject({ config: { mode: 'live' } });
    vi.stubEnv('SMSCODE_API_TOKEN', '');
    expect(loadConfig('serve', directory)).toMatchObject({ config: { mode: 'sandbox' } });
  });

  it('reads secrets from the files that are named', () => {
    writeFileSync(join(directory, 'token'), 'from-file\n');
    vi.stubEnv('SMSCODE_API_TOKEN_FILE', join(directory, 'token'));
    expect(loadConfig('serve', directory)).toMatchObject({ config: { buyer: { token: 'from-file' } } });
  });

  it('tells the libraries of a NODE_ENV that stands in .env alone', () => {
    writeFileSync(join(directory, '.env'), 'NODE_ENV=production\nSUPPLIER_API_KEY=key\n');
    expect(loadConfig('serve', directory)).toMatchObject({ config: { production: true } });
    expect(process.env['NODE_ENV']).toBe('production');
  });

  it('leaves every other variable of .env out of the process, and so out of its children', () => {
    writeFileSync(join(directory, '.env'), 'SUPPLIER_API_KEY=key\n');
    loadConfig('serve', directory);
    expect(process.env['SUPPLIER_API_KEY']).toBeUndefined();
  });

  it('does not start half configured where .env is there and cannot be read', () => {
    mkdirSync(join(directory, '.env'));
    vi.stubEnv('PORT', 'x');
    const parsed = loadConfig('serve', directory);
    expect(parsed.kind === 'invalid' && parsed.problems.map(({ name, wrong }) => `${name} ${wrong}`)).toEqual(
      ['.env cannot be read (EISDIR)', 'PORT is not a whole number in plain digits'],
    );
  });
});
