import type { BusinessJobId, CallerName } from '../../domain/ids.ts';
import type { Order } from '../../domain/orders/order.ts';
import { instant, later, MINUTE } from '../../domain/time.ts';
import type { UpstreamFault } from '../../ports/numbers-api.ts';
import type { Deps } from '../deps.ts';
import { recordSnapshot } from '../sms/record-snapshot.ts';

/** The most that the provider lists at once. */
const PAGE = 100;
/** New orders push the others on while pages are read: each page begins before the end of the last. */
const STEP = 80;
const MOST_PAGES = 60;
/** The provider's clock and ours may differ by so much. */
const CLOCKS_APART = 2 * MINUTE;

export type EvidenceResult =
  | { readonly kind: 'found'; readonly orders: readonly Order[] }
  | { readonly kind: 'no-attempt' }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault };

/**
 * Orders on the account that no attempt accounts for and that this one may have made: of its product, made between its
 * start and the last moment at which a send of it could arrive. Reads the account's list first, newest to oldest.
 */
export async function findEvidence(
  deps: Deps,
  caller: CallerName,
  businessJobId: BusinessJobId,
): Promise<EvidenceResult> {
  const known = await deps.store.attempts.find(caller, businessJobId);
  if (known === null) return { kind: 'no-attempt' };
  const { startedAt, replayDeadlineAt, catalogProductId } = known.attempt;
  const from = instant(startedAt - CLOCKS_APART);
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await deps.numbers.orders({ limit: PAGE, offset: page * STEP });
    if (read.kind !== 'read') return { kind: 'fault', fault: read };
    for (const snapshot of read.value) await recordSnapshot(deps, snapshot, read.readAt);
    const oldest = read.value.at(-1)?.createdAt ?? null;
    if (read.value.length < PAGE || (oldest !== null && oldest < from)) break;
  }
  const to = later(replayDeadlineAt, CLOCKS_APART);
  return { kind: 'found', orders: await deps.store.evidence.unaccounted(from, to, catalogProductId) };
}
