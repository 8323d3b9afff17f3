import type { Log } from '../../../../src/ports/log.ts';

/** For what a test brings about on purpose. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
