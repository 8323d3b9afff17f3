import { jsonReply, type Reply } from '../kernel/reply.ts';

/** Each code has one fixed HTTP status (reference, 2). */
const STATUS = {
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 422,
  PROVIDER_ERROR: 422,
  NO_OFFER_AVAILABLE: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  INSUFFICIENT_BALANCE: 409,
  CONFLICT: 409,
  CANCEL_TOO_EARLY: 409,
  REQUEST_IN_PROGRESS: 409,
  RATE_LIMIT_EXCEEDED: 429,
  TEMP_BANNED_ABUSE_GUARD: 429,
} as const;

export type ErrorCode = keyof typeof STATUS;

export type Refused = {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
};

export type Done = {
  readonly kind: 'done';
  readonly data: unknown;
  readonly meta?: unknown;
  /** A list that may be long. */
  readonly long?: boolean;
};

export type Answer = Done | Refused;

export function done(data: unknown): Done {
  return { kind: 'done', data };
}

export function refused(code: ErrorCode, message: string): Refused {
  return { kind: 'refused', code, message };
}

export function invalid(field: string, message: string): Refused {
  return { kind: 'refused', code: 'VALIDATION_ERROR', message: `${field} ${message}`, details: { field } };
}

export function tooMany(retryAfterSeconds: number, message: string): Refused {
  return { kind: 'refused', code: 'RATE_LIMIT_EXCEEDED', message, retryAfterSeconds };
}

/** The envelope on the wire: what is not said is left out, never null. */
export function toReply(answer: Answer): Reply {
  if (answer.kind === 'done') {
    const { data, meta, long } = answer;
    const envelope = meta === undefined ? { success: true, data } : { success: true, data, meta };
    return { ...jsonReply(200, envelope), compressible: long === true };
  }
  const { code, message, details, retryAfterSeconds } = answer;
  const error = details === undefined ? { code, message } : { code, message, details };
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return jsonReply(STATUS[code], { success: false, error }, headers);
}
