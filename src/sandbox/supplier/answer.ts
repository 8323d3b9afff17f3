/** An answer before it becomes bytes. */
export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The provider's failure envelope; `retryAfterMs` where it says how long to wait. */
export function failure(status: number, code: string, message: string, retryAfterMs?: number): Answer {
  const wait = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs };
  return { status, body: { error: code, message, ...wait } };
}
