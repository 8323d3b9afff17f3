import { type Authenticator, keyOfRequest } from './auth.ts';
import { isLocal } from './client-address.ts';
import { answer, type Route, refuse } from './exchange.ts';
import type { CountedStore, Prometheus } from './prometheus.ts';

/** Open to this machine itself while the gateway listens on loopback alone; to everybody else with an OPERATOR's key. */
export function metricsRoute(deps: {
  readonly prometheus: Prometheus;
  readonly store: CountedStore;
  readonly auth: Authenticator;
  readonly isLoopbackOnly: boolean;
}): Route {
  return {
    name: 'metrics',
    methods: ['GET'],
    async handle(exchange) {
      if (!(deps.isLoopbackOnly && isLocal(exchange.request))) {
        const principal = await deps.auth.authenticate(keyOfRequest(exchange.request));
        if (principal === null) {
          const message = 'Metrics need the key of an OPERATOR: Authorization: Bearer <key>.';
          refuse(exchange, 401, { code: 'UNAUTHENTICATED', message }, { 'www-authenticate': 'Bearer' });
          return;
        }
        if (!principal.scopes.includes('OPERATOR')) {
          refuse(exchange, 403, { code: 'FORBIDDEN', message: 'Metrics need the scope OPERATOR.' });
          return;
        }
      }
      const text = await deps.prometheus.expose(deps.store);
      answer(exchange, 200, text, { 'content-type': deps.prometheus.contentType });
    },
  };
}
