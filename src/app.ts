import { join, resolve } from 'node:path';
import { localOrigin } from './app/addresses.ts';
import { dataDirectory } from './app/cipher.ts';
import { consoleDirectory } from './app/console-directory.ts';
import { named } from './app/named.ts';
import { openDeps } from './app/open-deps.ts';
import { readySandboxKey } from './app/sandbox-key.ts';
import { readTrustedDocuments } from './app/trusted-documents.ts';
import { isLoopback } from './config/addresses.ts';
import { type Config, withSandboxPort } from './config.ts';
import { SECOND } from './domain/time.ts';
import type { Deps } from './flows/deps.ts';
import { otelTracer } from './otel-tracer.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import { createCursors } from './resolvers/cursors.ts';
import { schema } from './resolvers/index.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { BODY_MILLISECONDS, openGateway } from './server/gateway.ts';
import { createHttpEdge } from './server/http.ts';
import { createJsonLog } from './server/json-log.ts';
import { createPrometheus } from './server/prometheus.ts';
import type { SandboxControl } from './server/sandbox-panel-route.ts';
import { makeDirectory } from './store/make-directory.ts';
import { systemClock } from './system-clock.ts';
import { systemRandom } from './system-random.ts';
import { allWorkers } from './workers/all.ts';
import { runWorker } from './workers/loop.ts';
import { traced } from './workers/traced.ts';

/** Of the ten seconds that a stop may take, what is under way is given seven; workers and the store have the rest. */
const DRAIN_TIME = 7 * SECOND;
const WORKERS_TIME = SECOND;

/** What tests put in place of the real thing. */
export interface AppOverrides {
  readonly log?: Log;
  readonly clock?: Clock;
  /** For the clock of a database that has its own. */
  readonly serverClock?: Pick<Clock, 'now'>;
  /** Where the sandbox keeps its state and its key. */
  readonly dataDirectory?: string;
  readonly schema?: typeof schema;
  readonly bodyMilliseconds?: number;
  readonly sandboxSeed?: number;
  /** Sees, and may spoil, every call of a port. */
  readonly wrap?: (deps: Deps) => Deps;
}

export interface App {
  /** Such as `http://127.0.0.1:4000`, as this machine reaches it. */
  readonly url: string;
  readonly port: number;
  /** Null in live mode. */
  readonly sandbox: { readonly url: string; readonly key: string | null } | null;
  /** Ends everything, gently at first. Takes nine seconds at most. */
  close(): Promise<void>;
}

/**
 * Builds and starts the whole gateway: the one place that makes adapters.
 *
 * @throws Error of the system's where an address is taken or the database cannot be opened.
 */
export async function startApp(given: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const random = systemRandom;
  const log = overrides.log ?? createJsonLog(given.logLevel, process.stdout);
  const prometheus = createPrometheus();
  const undo: (() => Promise<void> | void)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of undo.splice(0).reverse()) await close();
  };

  try {
    // The port first: the simulated provider must be told where its webhooks go.
    const edge = createHttpEdge({ clock, log, random, metrics: prometheus.server });
    const { port } = await edge.listen(given.host, given.port);
    undo.push(() => edge.destroy());
    const url = localOrigin(given.host, port);

    const directory = overrides.dataDirectory ?? dataDirectory(given.database);
    const sandbox =
      given.mode === 'sandbox' ? await openSandbox(given, url, directory, overrides.sandboxSeed) : null;
    if (sandbox !== null) undo.push(() => sandbox.close());
    const config = sandbox === null ? given : withSandboxPort(given, Number(new URL(sandbox.origin).port));

    const {
      deps: opened,
      alerts,
      places,
      close: closeDeps,
    } = await openDeps(config, {
      clock,
      random,
      log,
      metrics: prometheus.metrics,
      ...(overrides.serverClock !== undefined && { serverClock: overrides.serverClock }),
    });
    undo.push(closeDeps);
    const deps = overrides.wrap?.(opened) ?? opened;

    const isLoopbackOnly = isLoopback(config.host);
    const sandboxKey =
      sandbox !== null && isLoopbackOnly ? readySandboxKey(join(directory, 'sandbox.key')) : null;
    const gateway = openGateway(edge, {
      deps,
      schema: overrides.schema ?? schema,
      cursors: createCursors(await deps.store.cursorSecret()),
      prometheus,
      settings: {
        introspection: config.introspection,
        graphiql: config.graphiql,
        trustedDocuments: readTrustedDocuments(
          config.trustedDocumentsFile,
          join(consoleDirectory(), 'documents.json'),
        ),
        corsOrigins: config.corsOrigins,
        rateLimitPerSecond: config.rateLimitPerSecond,
        streams: { perSocket: config.maxStreamsPerSocket, perKey: config.maxStreamsPerKey },
        webhookAllowed: config.webhookAllowedIps,
        trustProxy: config.trustProxy,
        isLoopbackOnly,
        sandboxKey,
        sandboxControl: sandbox === null ? null : controlOf(sandbox),
        consoleDirectory: consoleDirectory(),
        bodyMilliseconds: overrides.bodyMilliseconds ?? BODY_MILLISECONDS,
      },
    });

    const workers = allWorkers(
      deps,
      {
        poll: config.pollIntervalMs === 'off' ? null : config.pollIntervalMs,
        balanceCheck: config.balanceCheckIntervalMs,
        webhookCheck: config.webhookCheckIntervalMs,
        supplierPull: config.supplierPullIntervalMs === 'off' ? null : config.supplierPullIntervalMs,
        retention: config.retentionMs,
      },
      alerts,
      places,
    ).map((worker) => runWorker(deps, traced(worker, otelTracer)));
    // A round under way may wait for an upstream: what it was about is durable, and goes on after the next start.
    undo.push(() => within(clock, WORKERS_TIME, Promise.all(workers.map((worker) => worker.stop()))));
    undo.push(() => gateway.close(DRAIN_TIME));

    return {
      url,
      port,
      sandbox: sandbox === null ? null : { url: sandbox.origin, key: sandboxKey },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openSandbox(
  config: Config,
  url: string,
  directory: string,
  seed: number | undefined,
): Promise<Sandbox> {
  try {
    makeDirectory(resolve(directory));
  } catch (error) {
    throw config.database.kind === 'sqlite' ? named('DATABASE_URL', error) : error;
  }
  // Live mode never needs it.
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  return startSandbox({
    port: config.sandboxPort,
    stateFile: join(directory, 'sandbox.state'),
    webhook: { url: `${url}/webhooks/smscode`, secret: 'sandbox-secret' },
    ...(seed !== undefined && { seed }),
  });
}

/** The sandbox's own switches, called as a program on this machine calls them. */
function controlOf({ world }: Sandbox): SandboxControl {
  return (target, body) =>
    world.control({ method: 'POST', target, host: 'localhost', origin: undefined, body });
}

async function within(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, clock.sleep(milliseconds, done.signal)]);
  done.abort();
}
