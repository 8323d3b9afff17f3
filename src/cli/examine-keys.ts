import { type ApiKey, isUsable } from '../domain/callers.ts';
import type { Instant } from '../domain/time.ts';
import { type Finding, note } from './finding.ts';

/** Whether anybody can get in: a gateway without a good key serves nobody, and does not say so. */
export function examineKeys(keys: readonly ApiKey[], now: Instant): readonly Finding[] {
  if (keys.some((key) => isUsable(key, now))) return [];
  const words = keys.length === 0 ? 'there are none' : 'all are revoked or have expired';
  return [note('keys', `${words}: switchboard keys create`)];
}
