import { type Scope, scopes } from '../../domain/access.ts';
import type { ApiKey } from '../../domain/callers.ts';
import { parseCallerName, parseKeyId } from '../../domain/ids.ts';
import { rowReader } from '../bad-row.ts';

export interface KeyRow {
  readonly id: string;
  readonly hash: string;
  readonly caller: string;
  /** Separated by blanks. */
  readonly scopes: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export function keyFrom(row: KeyRow): ApiKey {
  const read = rowReader('api_keys', row.id);
  return {
    id: read.sure(parseKeyId(row.id)),
    caller: read.sure(parseCallerName(row.caller)),
    scopes: row.scopes === '' ? [] : row.scopes.split(' ').map((scope): Scope => read.oneOf(scope, scopes)),
    createdAt: read.instant(row.createdAt),
    expiresAt: read.maybeInstant(row.expiresAt),
    revokedAt: read.maybeInstant(row.revokedAt),
    lastUsedAt: read.maybeInstant(row.lastUsedAt),
  };
}
