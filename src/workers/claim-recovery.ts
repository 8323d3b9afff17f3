import type { Deps } from '../flows/deps.ts';
import { recoverClaims } from '../flows/supplier/recover-claims.ts';
import type { Worker } from './loop.ts';

/** Finds claims whose answer was lost, at start and for ever after. */
export function claimRecovery(deps: Deps): Worker {
  return { name: 'claim-recovery', wokenBy: [], round: () => recoverClaims(deps) };
}
