import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { SECOND } from '../domain/time.ts';
import type { Log } from '../ports/log.ts';
import { createJsonLog, type LineSink } from '../server/json-log.ts';
import { createTerminalLog } from '../server/terminal-log.ts';
import { systemClock } from '../system-clock.ts';
import { banner } from './banner.ts';
import { explain } from './explain.ts';
import { CommandFailure, createHeldSink, print } from './output.ts';
import { readConfig } from './read-config.ts';

/** Ten seconds are promised; whatever hangs is given up before they are over. */
const STOP_LIMIT = 9 * SECOND;

/** `switchboard serve`: the gateway until a signal ends it. */
export async function serve(): Promise<void> {
  const sink = createHeldSink(process.stdout);
  const warnings: string[] = [];
  const config = readConfig('serve', (line) => warnings.push(line));
  const log = openLog(config, sink);
  for (const warning of warnings) log.warn(warning);
  crashOnBugs(log, sink);

  let app: App;
  try {
    // Only now: a mistake in the configuration need not wait for the whole gateway to be loaded.
    const { startApp } = await import('../app.ts');
    app = await startApp(config, { log });
  } catch (error) {
    sink.release();
    throw new CommandFailure(explain(error, config.sandboxPort));
  }
  for (const line of banner(app, config)) print(line);
  sink.release();
  log.info('the gateway serves', { url: app.url, mode: config.mode });
  stopOnSignals(app, log);
}

function openLog(config: Config, sink: LineSink): Log {
  return process.stdout.isTTY
    ? createTerminalLog(config.logLevel, sink, systemClock)
    : createJsonLog(config.logLevel, sink);
}

function stopOnSignals(app: App, log: Log): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      log.warn('a second signal came: stopping at once', { signal });
      process.exit(1);
    }
    isStopping = true;
    log.info('the gateway stops', { signal });
    systemClock.after(STOP_LIMIT, () => {
      // Attempts, webhooks and claims are durable: the next start goes on where this one was cut off.
      log.warn('the stop took too long and was cut short');
      process.exit(0);
    });
    app.close().then(
      () => {
        log.info('the gateway has stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error('the gateway did not stop in order', {}, error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

/**
 * After an uncaught exception nobody knows what state the process is in: it ends, and what was under way is taken up
 * from the store. A rejection nobody waited for has run its course; ending for it would end every stream for nothing.
 */
function crashOnBugs(log: Log, sink: { release(): void }): void {
  process.on('uncaughtException', (error) => {
    log.error('an uncaught exception ends the process', {}, error);
    sink.release();
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    log.error('a promise was rejected and nobody waited for it', {}, reason);
  });
}
