import { GraphQLError } from 'graphql';
import type { Scope } from '../domain/access.ts';

/** gateway.md, Errors: the codes that resolvers answer with. */
export type ErrorCode =
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_NOT_CONFIGURED'
  | 'UPSTREAM_UNAUTHORIZED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_MALFORMED';

export function coded(
  code: ErrorCode,
  message: string,
  more: Readonly<Record<string, string | number>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/** One answer for what is not there and what is another caller's: no difference may show. */
export function notFound(what: 'order' | 'create attempt' | 'supplier order' | 'dead webhook'): GraphQLError {
  return coded('NOT_FOUND', `There is no such ${what}.`);
}

export function forbidden(needed: Scope): GraphQLError {
  return coded('FORBIDDEN', `This takes a key with the scope ${needed}.`);
}

/** `field` is the argument's or input field's own name; `expected` completes "must be". */
export function badInput(field: string, expected: string): GraphQLError {
  return coded('BAD_USER_INPUT', `${field} must be ${expected}.`, { field });
}

/** The value, or BAD_USER_INPUT where its parser found none. */
export function orBadInput<Value>(value: Value | null, field: string, expected: string): Value {
  if (value === null) throw badInput(field, expected);
  return value;
}

export type Side = 'buyer' | 'supplier';

export function notConfigured(side: Side): GraphQLError {
  return coded('UPSTREAM_NOT_CONFIGURED', `The gateway has no key for the ${side} side's upstream.`, {
    side,
  });
}
