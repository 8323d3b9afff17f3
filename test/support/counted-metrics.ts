import type { Metrics } from '../../src/ports/metrics.ts';

/** Counts what is counted: `smsAccepted POLL` -> 2. Times and amounts are not kept. */
export function countedMetrics(): { readonly metrics: Metrics; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const count = (...words: readonly (string | number)[]): void => {
    const name = words.join(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const metrics: Metrics = {
    attemptReached: (state) => count('attemptReached', state),
    smsAccepted: (source) => count('smsAccepted', source),
    smsConflict: () => count('smsConflict'),
    webhook: (result) => count('webhook', result),
    inboxDead: () => count('inboxDead'),
    inboxLag: () => count('inboxLag'),
    poll: (result) => count('poll', result),
    pollRound: () => count('pollRound'),
    storeCall: (room) => count('storeCall', room),
    upstreamCall: (side, operation, result) => count('upstreamCall', side, operation, result),
    alert: (kind) => count('alert', kind),
    balance: () => count('balance'),
    workerFailed: (worker) => count('workerFailed', worker),
    streams: (kind, change) => count('streams', kind, change),
  };
  return { metrics, counts };
}
