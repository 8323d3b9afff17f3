import { describe, expect, test } from 'vitest';
import { examineKeys } from '../../src/cli/examine-keys.ts';
import { examineUpstreams } from '../../src/cli/examine-upstreams.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { ApiKey } from '../../src/domain/callers.ts';
import { parseCallerName, parseKeyId } from '../../src/domain/ids.ts';
import { rupiah } from '../../src/domain/money.ts';
import { instant, later, SECOND } from '../../src/domain/time.ts';
import type { UpstreamFault, WebhookSettings } from '../../src/ports/numbers-api.ts';
import { must } from '../support/values.ts';

const now = instant(1_000_000);
const ours = 'https://gateway.example/webhooks/smscode';
const live = {
  SMSCODE_API_TOKEN: 'token',
  SMSCODE_WEBHOOK_SECRET: 'secret',
  DATABASE_URL: 'file:none.db',
};

function configOf(env: Readonly<Record<string, string>>): Config {
  const parsed = parseConfig({ ...env });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

function read<Value>(value: Value) {
  return { kind: 'read', value, readAt: now } as const;
}

interface Told {
  readonly balance?: UpstreamFault;
  readonly webhook?: Partial<WebhookSettings> | UpstreamFault;
  /** The address that was connected here. */
  readonly connected?: string | null;
  readonly supplier?: UpstreamFault;
}

/** What doctor says when the upstreams tell this. */
async function findings(
  { balance, webhook = {}, connected = ours, supplier }: Told,
  env: Readonly<Record<string, string>> = live,
): Promise<readonly string[]> {
  const settings: WebhookSettings = {
    url: ours,
    secretSet: true,
    consecutiveFailures: 0,
    disabledAt: null,
    disabledReason: null,
  };
  const found = await examineUpstreams(configOf(env), {
    numbers: {
      balance: async () => balance ?? read({ currency: 'IDR', amount: rupiah(1) }),
      webhook: async () => ('kind' in webhook ? webhook : read({ ...settings, ...webhook })),
    },
    supplier: { orders: async () => supplier ?? read({ orders: [], received: 0 }) },
    store: { notebook: { read: async () => connected } },
  });
  return found.map(({ what, state, words }) => `${state} ${what}: ${words}`);
}

describe('doctor, of the upstreams', () => {
  test('is content where the provider delivers here', async () => {
    expect(await findings({})).toEqual([
      'ok buyer upstream: answers, and takes the token',
      'ok webhooks: are delivered here',
      'note supplier upstream: off: SUPPLIER_API_KEY is not set',
    ]);
  });

  test.each<[string, Told, RegExp]>([
    [
      'does not tell its settings to this token',
      { webhook: { kind: 'unauthorized', httpStatus: 403 } },
      /^note webhooks: .*does not tell/,
    ],
    [
      'delivers to nowhere',
      { webhook: { url: null } },
      /^note webhooks: .*to nowhere: connectUpstreamWebhook/,
    ],
    ['has stopped delivering', { webhook: { disabledAt: now } }, /^wrong webhooks: .*has stopped delivering/],
    [
      'delivers to another address than was connected here',
      { webhook: { url: 'https://elsewhere.example/' } },
      /^wrong webhooks: .*another address/,
    ],
    [
      'has deliveries that are not taken',
      { webhook: { consecutiveFailures: 3 } },
      /^wrong webhooks: the last 3 deliveries were not taken/,
    ],
    [
      'delivers to an address that was never connected here',
      { connected: null },
      /^ok webhooks: .*an address that was not connected here/,
    ],
  ])('says that the provider %s', async (_, told, words) => {
    expect((await findings(told))[1]).toMatch(words);
  });

  test('asks for no settings with a token that is refused, and says which setting to change', async () => {
    expect(await findings({ balance: { kind: 'unauthorized', httpStatus: 401 } })).toEqual([
      'wrong buyer upstream: refuses the secret (HTTP 401). Set SMSCODE_API_TOKEN to the one in force.',
      'note supplier upstream: off: SUPPLIER_API_KEY is not set',
    ]);
  });

  test('says that without a secret each webhook is refused', async () => {
    const { SMSCODE_WEBHOOK_SECRET: _, ...without } = live;
    expect(await findings({}, without)).toContain(
      'note webhooks: SMSCODE_WEBHOOK_SECRET is not set: each is refused, and polling alone finds messages',
    );
  });

  test('says that the supplier refuses its key', async () => {
    const env = { SUPPLIER_API_KEY: 'key', DATABASE_URL: 'file:none.db' };
    expect(await findings({ supplier: { kind: 'unauthorized', httpStatus: 403 } }, env)).toEqual([
      'note buyer upstream: off: SMSCODE_API_TOKEN is not set',
      'wrong supplier upstream: refuses the secret (HTTP 403). Set SUPPLIER_API_KEY to the one in force.',
    ]);
    expect(await findings({}, env)).toContain('ok supplier upstream: answers, and takes the key');
  });
});

describe('doctor, of the keys', () => {
  const good: ApiKey = {
    id: must(parseKeyId('key')),
    caller: must(parseCallerName('alice')),
    scopes: ['BUYER'],
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const expired = { ...good, expiresAt: now };

  test.each<[string, readonly ApiKey[], readonly string[]]>([
    ['nothing while one is good', [expired, good], []],
    ['nothing of one that is still to expire', [{ ...good, expiresAt: later(now, SECOND) }], []],
    ['that there are none', [], ['there are none: switchboard keys create']],
    [
      'that none is good any more',
      [expired, { ...good, revokedAt: now }],
      ['all are revoked or have expired: switchboard keys create'],
    ],
  ])('says %s', (_, keys, words) => {
    expect(examineKeys(keys, now).map((found) => found.words)).toEqual(words);
  });
});
