import { MINUTE, SECOND } from '../../domain/time.ts';
import type { AlertSink } from '../../ports/alert-sink.ts';
import type { Deps } from '../deps.ts';

const BATCH = 20;
/** Longer than a delivery can take. */
const LEASE = MINUTE;
const FIRST_RETRY = 5 * SECOND;
const LONGEST_RETRY = 10 * MINUTE;

/** Tells the receiver what it has not been told yet. What it does not take is told again, ever more seldom, and never dropped. */
export async function tellAlerts(deps: Deps, sink: AlertSink): Promise<void> {
  for (const alert of await deps.store.alerts.takeUntold(BATCH, LEASE)) {
    if (await sink.tell(alert)) {
      await deps.store.alerts.told(alert.id);
      continue;
    }
    const wait = Math.min(FIRST_RETRY * 2 ** Math.min(alert.tries, 10), LONGEST_RETRY);
    deps.log.warn('an alert could not be delivered', { alert: alert.kind, tries: alert.tries + 1 });
    await deps.store.alerts.tellLater(alert.id, wait);
  }
}
