import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Log, LogFields } from '../ports/log.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Where finished lines go. */
export interface LineSink {
  write(line: string): void;
}

/** JSON lines, one an event, with the time in RFC 3339. Text from outside is escaped by JSON: it cannot forge a line. */
export function createJsonLog(level: LogLevel, sink: LineSink): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return wrap(pino(options, sink));
}

function wrap(logger: Logger): Log {
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields, error) => logger.error({ ...fields, ...errorFields(error) }, message),
    child: (fields) => wrap(logger.child(fields)),
  };
}

/**
 * What is told of an error: its name, its stack and those of its causes. Other properties are left out: libraries put
 * whole requests, with their headers, on their errors.
 */
export function errorFields(error: unknown): LogFields {
  if (error === undefined) return {};
  const stacks: string[] = [];
  for (
    let at: unknown = error;
    at !== undefined && stacks.length < 5;
    at = at instanceof Error ? at.cause : undefined
  ) {
    stacks.push(at instanceof Error ? stackOf(at) : 'a thrown value that is no Error');
  }
  return { error: error instanceof Error ? error.name : typeof error, stack: stacks.join('\ncaused by: ') };
}

/** Drizzle writes a failed query's parameters into its message: phone numbers and message texts among them. */
function stackOf(error: Error): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  const at = error.message.indexOf('\nparams: ');
  return at < 0 ? stack : stack.replace(error.message, () => error.message.slice(0, at));
}
