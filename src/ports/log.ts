/** What a log line may carry: never a token, key, code, message text, phone number or delivered line. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `error` is logged by name and stack; its text must not hold a secret. */
  error(message: string, fields?: LogFields, error?: unknown): void;
  child(fields: LogFields): Log;
}
