import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';

const files: Readonly<Record<string, string>> = {
  '/run/token': 'from-file\n',
  '/run/key': '  key-from-file  ',
  '/run/secrets': 'new,old\r\n',
  '/run/database': 'postgres://u:p@db/switchboard\n',
  '/run/redis': 'redis://cache:6379\n',
  '/run/alert': `whsec_${Buffer.alloc(32, 1).toString('base64')}\n`,
  '/run/encryption': `${'ab'.repeat(32)}\n`,
  '/run/empty': ' \n',
};

function readFile(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error(`ENOENT: open '${path}'`), { code: 'ENOENT' });
  return text;
}

describe('a secret in a file', () => {
  it('is read without the blanks around it, for every secret', () => {
    const parsed = parseConfig(
      {
        SMSCODE_API_TOKEN_FILE: '/run/token',
        SMSCODE_WEBHOOK_SECRET_FILE: ' /run/secrets ',
        SUPPLIER_API_KEY_FILE: '/run/key',
        DATABASE_URL_FILE: '/run/database',
        REDIS_URL_FILE: '/run/redis',
        ALERT_WEBHOOK_URL: 'https://hooks.example',
        ALERT_WEBHOOK_SECRET_FILE: '/run/alert',
        ENCRYPTION_KEY_FILE: '/run/encryption',
      },
      readFile,
    );
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
    const { buyer, supplier, database, redisUrl, alerts, encryptionKeys } = parsed.config;
    expect(buyer).toMatchObject({ token: 'from-file', webhookSecrets: ['new', 'old'] });
    expect(supplier).toMatchObject({ apiKey: 'key-from-file' });
    expect(database).toEqual({ kind: 'postgres', url: 'postgres://u:p@db/switchboard' });
    expect(redisUrl).toBe('redis://cache:6379');
    expect(alerts.kind === 'webhook' && alerts.signingKey?.export()).toEqual(Buffer.alloc(32, 1));
    expect(encryptionKeys.map((key) => key.export().toString('hex'))).toEqual(['ab'.repeat(32)]);
    expect(parsed.warnings).toEqual([]);
  });

  it.each([
    ['/run/none', 'names a file that cannot be read (ENOENT)'],
    ['/run/empty', 'names an empty file'],
  ])('%s is a problem of the variable that names it, and the path is not shown', (path, wrong) => {
    const parsed = parseConfig({ SUPPLIER_API_KEY_FILE: path }, readFile);
    expect(parsed).toMatchObject({ kind: 'invalid', problems: [{ name: 'SUPPLIER_API_KEY_FILE', wrong }] });
    expect(JSON.stringify(parsed)).not.toContain(path);
  });

  it('is not allowed beside the plain variable', () => {
    expect(
      parseConfig({ DATABASE_URL: 'file:x.db', DATABASE_URL_FILE: '/run/database' }, readFile),
    ).toMatchObject({
      kind: 'invalid',
      problems: [{ name: 'DATABASE_URL', wrong: 'is set, and so is DATABASE_URL_FILE' }],
    });
  });

  it('counts for nothing where the variable is blank, or is no secret’s', () => {
    const parsed = parseConfig({ SMSCODE_API_TOKEN_FILE: ' ', PORT_FILE: '/run/none' }, readFile);
    expect(parsed).toMatchObject({ kind: 'ok', config: { mode: 'sandbox', port: 4000 } });
  });

  it('is checked like any value', () => {
    expect(parseConfig({ ENCRYPTION_KEY_FILE: '/run/token' }, readFile)).toMatchObject({
      kind: 'invalid',
      problems: [{ name: 'ENCRYPTION_KEY', wrong: 'entry 1 is not 32 bytes in base64 or hex' }],
    });
  });
});
