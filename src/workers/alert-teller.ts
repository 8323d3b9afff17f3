import { SECOND } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { tellAlerts } from '../flows/watch/tell-alerts.ts';
import type { AlertSink } from '../ports/alert-sink.ts';
import type { Worker } from './loop.ts';

const LOOKS_EVERY = 5 * SECOND;

/** Delivers alerts to the address that is to be told of them. */
export function alertTeller(deps: Deps, sink: AlertSink): Worker {
  return {
    name: 'alert-teller',
    wokenBy: ['alerts'],
    async round() {
      await tellAlerts(deps, sink);
      return LOOKS_EVERY;
    },
  };
}
