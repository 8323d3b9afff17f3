import { openStore } from '../app/open-store.ts';
import type { Scope } from '../domain/access.ts';
import { type ApiKey, isUsable } from '../domain/callers.ts';
import { type CallerName, parseKeyId } from '../domain/ids.ts';
import type { Rupiah } from '../domain/money.ts';
import { DAY, formatInstant, type Instant, later } from '../domain/time.ts';
import type { Store } from '../ports/store/store.ts';
import { hashGatewayKey, makeGatewayKey } from '../server/gateway-key.ts';
import { systemClock } from '../system-clock.ts';
import { systemRandom } from '../system-random.ts';
import { createInProcessWake } from '../wake/in-process.ts';
import { CommandFailure, print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

export interface NewKey {
  readonly caller: CallerName;
  readonly scopes: readonly Scope[];
  readonly budget: Rupiah | null;
  readonly expiresInDays: number | null;
}

/** `switchboard keys create`: prints the key, and nothing else. It is kept only as a hash. */
export async function createKey(asked: NewKey): Promise<void> {
  await withStore(async (store) => {
    const key = makeGatewayKey();
    const id = parseKeyId(`key_${systemRandom.token().slice(0, 16)}`);
    if (id === null) throw new Error('a key’s id must be of A-Z a-z 0-9 _ -');
    const { caller, scopes: held, expiresInDays, budget } = asked;
    const expiresAt = expiresInDays === null ? null : later(systemClock.now(), expiresInDays * DAY);
    await store.keys.create(
      { id, hash: hashGatewayKey(key), caller, scopes: held, expiresAt, budgetLimit: budget },
      { kind: 'shell' },
    );
    print(key);
  });
}

/** `switchboard keys list`: a line a key. */
export async function listKeys(): Promise<void> {
  await withStore(async (store) => {
    const keys = await store.keys.list();
    const now = systemClock.now();
    for (const key of keys) print(keyLine(key, now));
    if (keys.length === 0)
      printError('There are no keys. Make one: switchboard keys create --caller NAME --scopes BUYER');
  });
}

/** `switchboard keys revoke ID`. A gateway that runs takes notice within five seconds. */
export async function revokeKey(text: string): Promise<void> {
  await withStore(async (store) => {
    const id = parseKeyId(text);
    if (id === null || !(await store.keys.revoke(id, { kind: 'shell' }))) {
      throw new CommandFailure('There is no key of that id. See them all: switchboard keys list');
    }
    print(`${id} is revoked; in force within five seconds, open streams included.`);
  });
}

/** Id, caller, scopes, expiry, last use; and whether it is good for anything still. */
function keyLine(key: ApiKey, now: Instant): string {
  const at = (instant: Instant | null, none: string): string =>
    instant === null ? none : formatInstant(instant);
  const state =
    key.revokedAt !== null
      ? `revoked ${formatInstant(key.revokedAt)}`
      : isUsable(key, now)
        ? 'active'
        : 'expired';
  return [
    key.id,
    key.caller,
    key.scopes.join(','),
    `expires ${at(key.expiresAt, 'never')}`,
    `used ${at(key.lastUsedAt, 'never')}`,
    state,
  ].join('  ');
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const config = readConfig('store', printError);
  const wake = createInProcessWake(() => undefined);
  const store = await openStore(config, { clock: systemClock, random: systemRandom, wake });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
