import type { Scope } from './access.ts';
import type { CallerName, KeyId } from './ids.ts';
import type { Instant } from './time.ts';

/** A gateway key as it is listed: the key itself is shown once, when it is made, and kept only as a hash. */
export interface ApiKey {
  readonly id: KeyId;
  readonly caller: CallerName;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

export function isUsable(key: ApiKey, now: Instant): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}
