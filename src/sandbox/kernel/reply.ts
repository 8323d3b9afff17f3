import type { z } from 'zod';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** May be compressed when the caller asks for it. */
  readonly compressible?: boolean;
};

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function textReply(status: number, text: string, contentType = 'text/plain; charset=utf-8'): Reply {
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}

/** A control call that was refused: the message is for the developer who made it. */
export function refusal(status: number, message: string): Reply {
  return jsonReply(status, { error: status === 404 ? 'NOT_FOUND' : 'REFUSED', message });
}

export type Parsed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'wrong'; readonly message: string };

/** `value` as `schema` says, or every mistake in one line, each with the path of its field. */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const result = schema.safeParse(value);
  return result.success
    ? { kind: 'ok', value: result.data }
    : { kind: 'wrong', message: mistakes(result.error) };
}

function mistakes(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`))
    .join('; ');
}

/** UTF-8 JSON, decoded strictly; `undefined` where it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
