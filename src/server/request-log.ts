import type { Log, LogFields } from '../ports/log.ts';

/**
 * The log of one request or operation, made with its first line: a child costs as much as a small query, a stream keeps
 * it, and most write none.
 */
export class RequestLog implements Log {
  readonly #parent: Log;
  readonly #requestId: string;
  #own: Log | null = null;

  constructor(parent: Log, requestId: string) {
    this.#parent = parent;
    this.#requestId = requestId;
  }

  debug(message: string, fields?: LogFields): void {
    this.#log().debug(message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#log().info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log().warn(message, fields);
  }

  error(message: string, fields?: LogFields, error?: unknown): void {
    this.#log().error(message, fields, error);
  }

  child(fields: LogFields): Log {
    return this.#log().child(fields);
  }

  #log(): Log {
    this.#own ??= this.#parent.child({ requestId: this.#requestId });
    return this.#own;
  }
}
