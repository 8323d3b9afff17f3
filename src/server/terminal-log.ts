import { styleText } from 'node:util';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';
import { errorFields, type LineSink, type LogLevel } from './json-log.ts';

const LEVELS = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
] as const satisfies readonly LogLevel[];
const COLOURS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;
type ShownLevel = keyof typeof COLOURS;

/** The same lines for a person at a terminal: time, level, message, fields. */
export function createTerminalLog(
  level: LogLevel,
  sink: LineSink,
  clock: Clock,
  fields: LogFields = {},
): Log {
  const least = LEVELS.indexOf(level);
  const write = (shown: ShownLevel, message: string, own: LogFields = {}): void => {
    if (LEVELS.indexOf(shown) < least) return;
    const { stack, ...rest } = { ...fields, ...own };
    const time = new Date(clock.now()).toTimeString().slice(0, 8);
    const told = Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${styleText('gray', `${name}=`)}${JSON.stringify(value)}`);
    const label = styleText(COLOURS[shown], shown.toUpperCase().padEnd(5));
    const tail = typeof stack === 'string' ? `\n${styleText('gray', withoutControls(stack))}` : '';
    sink.write(`${styleText('gray', time)} ${label} ${withoutControls(message)}${told.join('')}${tail}\n`);
  };
  return {
    debug: (message, own) => write('debug', message, own),
    info: (message, own) => write('info', message, own),
    warn: (message, own) => write('warn', message, own),
    error: (message, own, error) => write('error', message, { ...own, ...errorFields(error) }),
    child: (own) => createTerminalLog(level, sink, clock, { ...fields, ...own }),
  };
}

/** A terminal obeys escape sequences: text from outside must not bring any. Line breaks of a stack stay. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '?');
}
