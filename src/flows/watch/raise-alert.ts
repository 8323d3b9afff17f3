import type { AlertKind } from '../../domain/alert.ts';
import type { Deps } from '../deps.ts';

/** Raises an alert, once until it is cleared: a log line at once, and the rest by the alert worker. */
export async function raiseAlert(deps: Deps, kind: AlertKind, message: string, subject = ''): Promise<void> {
  if (await deps.store.alerts.raise({ kind, subject, message })) {
    deps.metrics.alert(kind);
    deps.log.warn(message, { alert: kind, subject });
  }
}

export async function clearAlert(deps: Deps, kind: AlertKind, subject = ''): Promise<void> {
  if (await deps.store.alerts.clear(kind, subject))
    deps.log.info('an alert is over', { alert: kind, subject });
}
