/** Why an operation brought no data. */
export type Fault =
  /** No answer: what was asked for may or may not have arrived. */
  | { readonly kind: 'unreachable' }
  | {
      readonly kind: 'refused';
      /** As in `errors[].extensions.code`. */
      readonly code: string;
      readonly message: string;
      readonly field: string | null;
      readonly retryAfterMs: number | null;
      readonly requestId: string | null;
    };

export const unreachable: Fault = { kind: 'unreachable' };

/** The first of the errors in an answer; null where it has none, or is none. */
export function faultIn(answer: unknown): Fault | null {
  const errors = isRecord(answer) ? answer['errors'] : answer;
  if (!Array.isArray(errors)) return null;
  const first: unknown = errors[0];
  if (!isRecord(first)) return null;
  const extensions = isRecord(first['extensions']) ? first['extensions'] : {};
  return {
    kind: 'refused',
    code: text(extensions['code']) ?? 'UNKNOWN',
    message: text(first['message']) ?? '',
    field: text(extensions['field']),
    retryAfterMs: typeof extensions['retryAfterMs'] === 'number' ? extensions['retryAfterMs'] : null,
    requestId: text(extensions['requestId']),
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
