import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Scope, scopes } from '../domain/access.ts';
import { type ApiKey, isUsable } from '../domain/callers.ts';
import { type CallerName, type KeyId, parseCallerName } from '../domain/ids.ts';
import { type Instant, MINUTE, SECOND } from '../domain/time.ts';
import { createSingleFlight } from '../flows/single-flight.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { KeyStore } from '../ports/store/keys.ts';
import { hashGatewayKey, isGatewayKey } from './gateway-key.ts';
import { singleHeader } from './single-header.ts';

/** How long a lookup is believed. With the watch's own rounds, a revocation is in force within five seconds. */
const BELIEVED_FOR = 2 * SECOND;
/** Keys whose lookups are kept; a forged key is never one of them, so a flood of them evicts nobody. */
const MOST_KEPT = 10_000;
const TOUCHED_EVERY = MINUTE;
/** Characters of a header worth reading: a key has 46. */
const LONGEST = 200;

/** Who a request or socket speaks for. */
export interface Principal {
  readonly caller: CallerName;
  readonly scopes: readonly Scope[];
  /** Null of the sandbox key, which is no row. */
  readonly keyId: KeyId | null;
  /** Tells keys apart where they are counted. Never logged. */
  readonly keyHash: string;
}

export interface Authenticator {
  /**
   * Null for a missing, malformed, unknown, revoked or expired key: no difference is told. At once where the key is
   * believed in or cannot be one. Rejects when the store is away.
   */
  authenticate(key: string | null): Principal | null | Promise<Principal | null>;
  /** Whether the key is usable now, asked of the store itself. */
  isStillUsable(principal: Principal): Promise<boolean>;
  /** Forgets what was believed. */
  forget(): void;
}

/** Keys by their hashes. `sandboxKey` is the ready key of sandbox mode; null everywhere else. */
export function createAuthenticator(deps: {
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly sandboxKey: string | null;
}): Authenticator {
  const { keys, clock, log } = deps;
  const believed = new Map<string, { readonly key: ApiKey; readonly readAt: Instant }>();
  const touchedAt = new Map<KeyId, Instant>();
  const share = createSingleFlight<string, ApiKey | null>();
  const sandbox = deps.sandboxKey === null ? null : sandboxPrincipal(hashGatewayKey(deps.sandboxKey));

  const knownBy = (hash: string): ApiKey | null => {
    const known = believed.get(hash);
    if (known === undefined) return null;
    const age = clock.now() - known.readAt;
    if (age >= 0 && age < BELIEVED_FOR) return known.key;
    believed.delete(hash);
    return null;
  };

  const lookUp = (hash: string): Promise<ApiKey | null> =>
    share(hash, async () => {
      const readAt = clock.now();
      const key = await keys.findByHash(hash);
      if (key === null) return null;
      const [oldest] = believed.keys();
      if (believed.size >= MOST_KEPT && oldest !== undefined) believed.delete(oldest);
      believed.set(hash, { key, readAt });
      return key;
    });

  const touch = (key: ApiKey): void => {
    const now = clock.now();
    const last = touchedAt.get(key.id) ?? key.lastUsedAt;
    if (last !== null && now - last < TOUCHED_EVERY) return;
    if (touchedAt.size >= MOST_KEPT) touchedAt.clear();
    touchedAt.set(key.id, now);
    keys
      .touch(key.id)
      .catch((error: unknown) => log.error('the use of a key could not be noted', { keyId: key.id }, error));
  };

  const principalOf = (key: ApiKey | null, hash: string): Principal | null => {
    if (key === null || !isUsable(key, clock.now())) return null;
    touch(key);
    return { caller: key.caller, scopes: key.scopes, keyId: key.id, keyHash: hash };
  };

  return {
    authenticate(text) {
      if (text === null || !isGatewayKey(text)) return null;
      const hash = hashGatewayKey(text);
      if (sandbox !== null && isSame(hash, sandbox.keyHash)) return sandbox;
      const known = knownBy(hash);
      return known === null ? lookUp(hash).then((key) => principalOf(key, hash)) : principalOf(known, hash);
    },
    async isStillUsable(principal) {
      if (principal.keyId === null) return true;
      const key = await keys.findByHash(principal.keyHash);
      return key !== null && isUsable(key, clock.now());
    },
    forget: () => believed.clear(),
  };
}

/** The key of an `Authorization: Bearer` header. Null where there is none, or more than one: which would count? */
export function keyOfRequest(request: IncomingMessage): string | null {
  const header = singleHeader(request, 'authorization');
  if (header === null || header.length > LONGEST) return null;
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

/** The key of WebSocket connection parameters, with or without `Bearer`. */
export function keyOfParameters(parameters: Readonly<Record<string, unknown>> | undefined): string | null {
  const given = parameters?.['authorization'] ?? parameters?.['Authorization'];
  if (typeof given !== 'string' || given.length > LONGEST) return null;
  return /^(?:Bearer +)?(\S+)$/i.exec(given)?.[1] ?? null;
}

function sandboxPrincipal(keyHash: string): Principal {
  const caller = parseCallerName('sandbox');
  if (caller === null) throw new Error('the sandbox caller must have a caller’s name');
  return { caller, scopes, keyId: null, keyHash };
}

function isSame(hash: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(other, 'hex'));
}
