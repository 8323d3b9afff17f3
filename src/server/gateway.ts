import type { GraphQLSchema } from 'graphql';
import { SECOND } from '../domain/time.ts';
import type { CatalogReader } from '../flows/catalog/read-catalog.ts';
import type { Deps } from '../flows/deps.ts';
import type { ReadReply } from '../ports/numbers-api.ts';
import { createContext } from '../resolvers/create-context.ts';
import type { Cursors } from '../schema/context.ts';
import { createAuthenticator } from './auth.ts';
import { createCatalogAnswers } from './catalog-answers.ts';
import type { AddressSet, TrustedProxies } from './client-address.ts';
import { consoleRoutes } from './console-route.ts';
import type { Route } from './exchange.ts';
import { createGraphiqlPage } from './graphiql.ts';
import { createGraphQL } from './graphql.ts';
import { graphqlRoute } from './graphql-route.ts';
import { healthRoute, readyRoute } from './health-routes.ts';
import type { HttpEdge } from './http.ts';
import { createKeyWatch } from './key-watch.ts';
import { documentLimits } from './limits.ts';
import { createLiveStreams } from './live-streams.ts';
import { metricsRoute } from './metrics-route.ts';
import type { Prometheus } from './prometheus.ts';
import { createRateLimit } from './rate-limit.ts';
import { rootRoute } from './root-route.ts';
import { type SandboxControl, sandboxPanelRoutes } from './sandbox-panel-route.ts';
import { createStreamSlots, type StreamLimits } from './stream-slots.ts';
import { createTrustedDocuments } from './trusted-documents.ts';
import { webhookRoute } from './webhook-route.ts';
import { createWebSocketEdge } from './websocket.ts';
import { createWebSocketProtocol } from './websocket-protocol.ts';

const GRAPHQL_PATH = '/graphql';

export interface GatewaySettings {
  readonly introspection: boolean;
  readonly graphiql: boolean;
  /** The only documents executed, by their hash; null: any. */
  readonly trustedDocuments: ReadonlyMap<string, string> | null;
  readonly corsOrigins: readonly string[];
  readonly rateLimitPerSecond: number | 'off';
  readonly streams: StreamLimits;
  /** Undefined: the webhook route is open to every address. */
  readonly webhookAllowed: AddressSet | undefined;
  readonly trustProxy: TrustedProxies | undefined;
  /** The gateway listens on this machine alone. */
  readonly isLoopbackOnly: boolean;
  /** The ready key of sandbox mode; null everywhere else. */
  readonly sandboxKey: string | null;
  /** Null in live mode. */
  readonly sandboxControl: SandboxControl | null;
  /** Where the console was built to. */
  readonly consoleDirectory: string;
  /** How long a request's body may take to arrive. */
  readonly bodyMilliseconds: number;
}

export const BODY_MILLISECONDS = 10 * SECOND;

export interface Gateway {
  /**
   * Stops accepting, ends streams (SSE completes, sockets close with 1001) and lets what is under way finish. Resolves
   * when nothing is open any more; after `milliseconds` what still is, is cut off.
   */
  close(milliseconds: number): Promise<void>;
}

/** Puts everything that is served behind the listening edge. */
export function openGateway(
  edge: HttpEdge,
  parts: {
    readonly deps: Deps;
    readonly schema: GraphQLSchema;
    readonly cursors: Cursors;
    readonly prometheus: Prometheus;
    readonly settings: GatewaySettings;
  },
): Gateway {
  const { deps, cursors, prometheus, settings } = parts;
  const { clock, log, random, store, wake } = deps;
  const { corsOrigins, bodyMilliseconds, isLoopbackOnly } = settings;
  const metrics = prometheus.server;
  let isDraining = false;

  const auth = createAuthenticator({ keys: store.keys, clock, log, sandboxKey: settings.sandboxKey });
  const watch = createKeyWatch({ auth, clock, wake, log });
  const rate = createRateLimit(settings.rateLimitPerSecond, clock);
  const streams = createLiveStreams(watch);
  const trusted = createTrustedDocuments(parts.schema, settings.trustedDocuments);
  const yoga = createGraphQL({
    schema: parts.schema,
    slots: createStreamSlots(settings.streams),
    metrics,
    limits: documentLimits,
    introspection: settings.introspection,
    contextOf(scene) {
      const { principal, params, requestId, signal, log: own } = scene;
      return createContext({ ...deps, log: own }, cursors, {
        caller: { name: principal.caller, scopes: principal.scopes, keyId: principal.keyId },
        requestId,
        rawVariables: params.variables ?? null,
        signal,
      });
    },
  });
  const graphiql = settings.graphiql
    ? createGraphiqlPage({ key: settings.sandboxKey, exampleProduct: () => exampleProduct(deps.catalog) })
    : null;
  const sockets = createWebSocketEdge({
    path: GRAPHQL_PATH,
    protocol: createWebSocketProtocol({ yoga, auth, watch, rate, trusted, metrics, random, log }),
    corsOrigins,
    metrics,
    clock,
    log,
  });

  const routes: (readonly [path: string, route: Route])[] = [
    ...(consoleRoutes({
      directory: settings.consoleDirectory,
      sandboxKey: settings.sandboxKey,
      hasGraphiql: graphiql !== null,
    }) ?? [['/', rootRoute(graphiql !== null)] as const]),
    [
      GRAPHQL_PATH,
      graphqlRoute({
        yoga,
        auth,
        rate,
        trusted,
        streams,
        answers: createCatalogAnswers(deps.catalog.shown),
        metrics,
        clock,
        corsOrigins,
        graphiql,
        bodyMilliseconds,
      }),
    ],
    [
      '/webhooks/smscode',
      webhookRoute({
        deps,
        allowed: settings.webhookAllowed,
        trusted: settings.trustProxy,
        bodyMilliseconds,
      }),
    ],
    ['/healthz', healthRoute],
    ['/readyz', readyRoute({ store, clock, log, isDraining: () => isDraining })],
    ['/metrics', metricsRoute({ prometheus, store, auth, isLoopbackOnly })],
    ...(graphiql?.assets ?? []),
    ...(settings.sandboxControl === null
      ? []
      : sandboxPanelRoutes({
          control: settings.sandboxControl,
          sandboxKey: settings.sandboxKey,
          auth,
          clock,
          bodyMilliseconds,
        })),
  ];
  edge.serve({ routes: new Map(routes), upgrade: sockets.upgrade });

  return {
    async close(milliseconds) {
      isDraining = true;
      const idle = edge.drain();
      streams.finishAll();
      const enough = new AbortController();
      await Promise.race([
        Promise.all([idle, sockets.close()]),
        clock.sleep(milliseconds, enough.signal).then(() => {
          if (!enough.signal.aborted) log.warn('requests were still under way and are cut off');
        }),
      ]);
      enough.abort();
      watch.stop();
      edge.destroy();
    },
  };
}

/** What GraphiQL's example orders: the cheapest there is now. Null where the catalog cannot be read. */
async function exampleProduct(catalog: CatalogReader): Promise<number | null> {
  const found = catalog.lastKnown() ?? (await catalog.whole(false).then(readOrNull));
  const row = found?.ranked.PRICE.find((at) => found.orderable[at] === 1);
  return row === undefined ? null : (found?.products[row]?.catalogProductId ?? null);
}

function readOrNull<Value>(reply: ReadReply<Value>): Value | null {
  return reply.kind === 'read' ? reply.value : null;
}
