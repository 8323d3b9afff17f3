import { MINUTE } from '../domain/time.ts';
import type { Deps } from '../flows/deps.ts';
import { eraseOld } from '../flows/orders/erase-old.ts';
import { renewLeases } from '../flows/supplier/lease-order.ts';
import { sumDays } from '../flows/watch/sum-days.ts';
import { watchWebhook } from '../flows/watch/watch-webhook.ts';
import type { AlertSink } from '../ports/alert-sink.ts';
import type { Places } from '../ports/places.ts';
import { alertTeller } from './alert-teller.ts';
import { balanceWatch } from './balance-watch.ts';
import { claimRecovery } from './claim-recovery.ts';
import { deliverer } from './deliverer.ts';
import { every } from './every.ts';
import { inTurn } from './in-turn.ts';
import { inboxWorker } from './inbox-worker.ts';
import type { Worker } from './loop.ts';
import { presence } from './presence.ts';
import { puller } from './puller.ts';
import { reconciler } from './reconciler.ts';
import { reviewWatch } from './review-watch.ts';
import { smsPoller } from './sms-poller.ts';

/** Erasing is due to the day; looking costs one query. */
const RETENTION_EVERY = 10 * MINUTE;
/** Till a day is summed up, its hours are read. */
const DAY_SUMS_EVERY = 10 * MINUTE;

/** How often the workers work, in milliseconds; null: not at all. */
export interface WorkIntervals {
  readonly poll: number | null;
  readonly balanceCheck: number;
  readonly webhookCheck: number;
  readonly supplierPull: number | null;
  /** How long what has ended is kept. */
  readonly retention: number;
}

/** Everything that goes on by itself. A side that is not configured has no workers; every instance runs them all. */
export function allWorkers(
  deps: Deps,
  intervals: WorkIntervals,
  alerts: AlertSink | null,
  places: Places | null,
): readonly Worker[] {
  const { clock, settings } = deps;
  const { poll, supplierPull } = intervals;
  return [
    every(clock, 'retention', RETENTION_EVERY, (signal) => eraseOld(deps, intervals.retention, signal)),
    every(clock, 'day-sums', DAY_SUMS_EVERY, (signal) => sumDays(deps, signal)),
    ...(alerts === null ? [] : [alertTeller(deps, alerts)]),
    ...(places === null ? [] : [presence(deps, places)]),
    ...(settings.buyerConfigured
      ? [
          reconciler(deps),
          reviewWatch(deps),
          inboxWorker(deps),
          ...(poll === null ? [] : [smsPoller(deps, poll)]),
          balanceWatch(deps, intervals.balanceCheck),
          inTurn(deps, 'webhook-watch', intervals.webhookCheck, () => watchWebhook(deps)),
        ]
      : []),
    ...(settings.supplierConfigured
      ? [
          claimRecovery(deps),
          every(clock, 'lease-renewal', MINUTE, () => renewLeases(deps)),
          deliverer(deps),
          ...(supplierPull === null ? [] : [puller(deps, supplierPull)]),
        ]
      : []),
  ];
}
