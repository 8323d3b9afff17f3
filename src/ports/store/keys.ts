import type { Scope } from '../../domain/access.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Budget } from '../../domain/budget/budget.ts';
import type { ApiKey } from '../../domain/callers.ts';
import type { CallerName, KeyId } from '../../domain/ids.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';

/** Gateway keys, kept as SHA-256 hashes. */
export interface KeyStore {
  /** With `budgetLimit`, sets the caller's limit too: it is the caller's, whichever of its keys asks. Audited. */
  create(
    key: {
      readonly id: KeyId;
      readonly hash: string;
      readonly caller: CallerName;
      readonly scopes: readonly Scope[];
      readonly expiresAt: Instant | null;
      readonly budgetLimit: Rupiah | null;
    },
    by: Actor,
  ): Promise<void>;
  /** By the hash of the whole key, whatever its state: expiry and revocation are the caller's to judge. */
  findByHash(hash: string): Promise<ApiKey | null>;
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key. Revoking twice keeps the first instant, and is audited once. */
  revoke(id: KeyId, by: Actor): Promise<boolean>;
  /** Notes the last use; coarse, at most once a minute a key. */
  touch(id: KeyId): Promise<void>;
}

export interface BudgetStore {
  find(caller: CallerName): Promise<Budget>;
}
