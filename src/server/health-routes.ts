import { SECOND } from '../domain/time.ts';
import { createSingleFlight } from '../flows/single-flight.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store/store.ts';
import { answerJson, type Route } from './exchange.ts';

/** However many probes ask: a check writes to the database. */
const CHECKED_EVERY = SECOND;

/** Alive: the process answers. Says nothing of what it stands on. */
export const healthRoute: Route = {
  name: 'healthz',
  methods: ['GET', 'HEAD'],
  handle(exchange) {
    answerJson(exchange, 200, { status: 'ok' });
    return Promise.resolve();
  },
};

/** Whether traffic may be sent here: the store takes writes, and the server is not on its way out. */
export function readyRoute(deps: {
  readonly store: Pick<Store, 'check'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly isDraining: () => boolean;
}): Route {
  const { store, clock, log } = deps;
  const share = createSingleFlight<'check', string | null>();
  let last: { readonly fault: string | null; readonly at: number } | null = null;

  const storeFault = (): Promise<string | null> => {
    if (last !== null && clock.now() - last.at < CHECKED_EVERY) return Promise.resolve(last.fault);
    return share('check', async () => {
      const fault = await store.check().then(
        () => null,
        (error: unknown) => {
          // What the database says may name paths and hosts: that is for the log.
          log.error('the store cannot be written to', {}, error);
          return 'the store cannot be written to';
        },
      );
      last = { fault, at: clock.now() };
      return fault;
    });
  };

  return {
    name: 'readyz',
    methods: ['GET', 'HEAD'],
    async handle(exchange) {
      const reasons = [deps.isDraining() ? 'shutting down' : null, await storeFault()].filter(
        (reason) => reason !== null,
      );
      if (reasons.length === 0) answerJson(exchange, 200, { status: 'ready' });
      else answerJson(exchange, 503, { status: 'not ready', reasons });
    },
  };
}
