import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type AttemptState, attemptStates, isFinal } from '../domain/orders/attempt.ts';
import { SECOND } from '../domain/time.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Store } from '../ports/store/store.ts';

/** From a cached read to the longest an upstream call may take (30 s) and a little more. */
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 45];
const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
/** Up to the end of a rental. */
const SMS_SECONDS = [1, 5, 10, 20, 30, 60, 120, 300, 600, 1_200];
const STORE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600];

/** What the server itself counts. */
export interface ServerMetrics {
  request(route: string, status: number, milliseconds: number): void;
  refused(
    why:
      | 'unauthenticated'
      | 'rate'
      | 'too-large'
      | 'too-complex'
      | 'untrusted'
      | 'streams'
      | 'origin'
      | 'stalled',
  ): void;
}

/** What is counted when somebody looks. */
export type CountedStore = Pick<Store, 'attempts' | 'inbox' | 'now' | 'logBytes'>;

export interface Prometheus {
  readonly metrics: Metrics;
  readonly server: ServerMetrics;
  readonly contentType: string;
  /** The page that is scraped. Depths are counted in the store at that moment; what cannot be counted is left out. */
  expose(store: CountedStore): Promise<string>;
}

/** All that is counted, in a registry of its own. Labels are closed sets: no id, name or text becomes one. */
export function createPrometheus(): Prometheus {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label> => new Counter({ name: `switchboard_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> => new Histogram({ name: `switchboard_${name}`, help, buckets, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `switchboard_${name}`, help, labelNames, registers });

  const attempts = counter('attempts_reached_total', 'Paid attempts by the state they came to', 'state');
  const sms = counter('sms_accepted_total', 'Accepted messages by what brought them', 'source');
  const smsTimes = histogram('sms_seconds', 'From an order to each of its messages', SMS_SECONDS, 'source');
  const conflicts = counter('sms_conflicts_total', 'Accepted revisions that came again with another text');
  const webhooks = counter('webhooks_total', 'Webhooks by what became of them', 'result');
  const dead = counter('inbox_dead_letters_total', 'Webhooks given up on');
  const lag = histogram(
    'inbox_lag_seconds',
    'Age of the oldest webhook of each batch worked off',
    LAG_SECONDS,
  );
  const polls = counter('polls_total', 'Reads made by the poller', 'result');
  const pollShare = gauge('poll_budget_used', 'Share of its interval that the last round of polling took');
  const storeCalls = histogram(
    'store_seconds',
    'Operations of the store, commits included',
    STORE_SECONDS,
    'room',
  );
  const calls = histogram(
    'upstream_call_seconds',
    'Calls to upstreams',
    CALL_SECONDS,
    'side',
    'operation',
    'result',
  );
  const alerts = counter('alerts_total', 'Alerts raised', 'kind');
  const balance = gauge('balance_rupiah', 'The account’s balance upstream, as last read');
  const workers = counter('worker_failures_total', 'Rounds of workers that failed', 'worker');
  const streams = gauge('open_streams', 'Open subscriptions', 'kind');
  const requests = histogram('http_request_seconds', 'HTTP requests', REQUEST_SECONDS, 'route', 'status');
  const refusals = counter('refusals_total', 'Requests and operations refused at the edge', 'why');
  const openAttempts = gauge(
    'open_attempts',
    'Paid attempts that are not final, and those held for a person',
    'state',
  );
  const oldestOpen = gauge('oldest_open_attempt_seconds', 'Age of the oldest attempt that is not final');
  const logBytes = gauge('sqlite_wal_bytes', 'Size of the write-ahead log; PostgreSQL has none of ours');
  const inboxDepth = gauge('inbox_records', 'Webhooks that wait, and those given up on', 'state');

  const count = async (store: CountedStore): Promise<void> => {
    const openSince = await store.attempts.oldestOpenAt();
    oldestOpen.set(openSince === null ? 0 : ((await store.now()) - openSince) / SECOND);
    const log = await store.logBytes();
    if (log === null) logBytes.reset();
    else logBytes.set(log);
    const inbox = await store.inbox.stats();
    inboxDepth.set({ state: 'pending' }, inbox.pending);
    inboxDepth.set({ state: 'dead' }, inbox.dead);
    for (const state of attemptStates.filter(isWatched)) {
      const page = await store.attempts.page({ kind: 'all' }, [state], { first: 1, after: null });
      openAttempts.set({ state }, page.total);
    }
  };

  return {
    contentType: registry.contentType,
    metrics: {
      attemptReached: (state) => attempts.inc({ state }),
      smsAccepted(source, sinceOrdered) {
        sms.inc({ source });
        if (sinceOrdered !== null) smsTimes.observe({ source }, sinceOrdered / SECOND);
      },
      smsConflict: () => conflicts.inc(),
      webhook: (result) => webhooks.inc({ result }),
      inboxDead: () => dead.inc(),
      inboxLag: (milliseconds) => lag.observe(milliseconds / SECOND),
      poll: (result) => polls.inc({ result }),
      pollRound: (share) => pollShare.set(share),
      storeCall: (room, milliseconds) => storeCalls.observe({ room }, milliseconds / SECOND),
      upstreamCall: (side, operation, result, milliseconds) =>
        calls.observe({ side, operation, result }, milliseconds / SECOND),
      alert: (kind) => alerts.inc({ kind }),
      balance: (amount) => balance.set(amount),
      workerFailed: (worker) => workers.inc({ worker }),
      streams: (kind, change) => streams.inc({ kind }, change),
    },
    server: {
      request: (route, status, milliseconds) =>
        requests.observe({ route, status: `${Math.floor(status / 100)}xx` }, milliseconds / SECOND),
      refused: (why) => refusals.inc({ why }),
    },
    async expose(store) {
      await count(store).catch(() => {
        // A page without the depths still tells that the store is in trouble: its other numbers show it.
        openAttempts.reset();
        oldestOpen.reset();
        logBytes.reset();
        inboxDepth.reset();
      });
      return registry.metrics();
    },
  };
}

function isWatched(state: AttemptState): boolean {
  return state === 'OPERATOR_REVIEW' || !isFinal(state);
}
