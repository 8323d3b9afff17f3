import type { Log, LogFields } from '../../src/ports/log.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
  readonly error: unknown;
}

/** Keeps every line, and prints none. */
export function keptLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const withFields = (own: LogFields): Log => {
    const at =
      (level: LogLine['level']) =>
      (message: string, fields: LogFields = {}, error: unknown = undefined) => {
        lines.push({ level, message, fields: { ...own, ...fields }, error });
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => withFields({ ...own, ...fields }),
    };
  };
  return { log: withFields({}), lines };
}
