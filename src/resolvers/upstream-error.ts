import type { GraphQLError } from 'graphql';
import { SECOND } from '../domain/time.ts';
import type { ReadReply, UpstreamFault } from '../ports/numbers-api.ts';
import { coded, notConfigured } from './errors.ts';

/** What was read, or the coded error of why nothing was. */
export function readOrThrow<Value>(reply: ReadReply<Value>): Value {
  if (reply.kind !== 'read') throw upstreamError(reply);
  return reply.value;
}

/** The same of the supplier-side upstream. */
export function supplierError(fault: UpstreamFault): GraphQLError {
  return fault.kind === 'not-configured' ? notConfigured('supplier') : upstreamError(fault);
}

/** A fault of the buyer-side upstream as its caller is told of it; no text of the upstream's goes along, as it may hold anything. */
export function upstreamError(fault: UpstreamFault): GraphQLError {
  switch (fault.kind) {
    case 'not-configured':
      return notConfigured('buyer');
    case 'unauthorized':
      return coded('UPSTREAM_UNAUTHORIZED', 'The provider refused the key of the gateway.');
    case 'throttled':
      return unavailable('The provider is being asked too often.', fault.retryAfterSeconds);
    case 'unavailable':
      return unavailable('The provider gave no answer.', fault.retryAfterSeconds);
    case 'malformed':
      return coded('UPSTREAM_MALFORMED', 'The provider gave an answer that cannot be understood.');
    case 'refused':
      return unavailable('The provider refused to answer.', null);
  }
}

function unavailable(message: string, retryAfterSeconds: number | null): GraphQLError {
  const wait = retryAfterSeconds === null ? {} : { retryAfterMs: retryAfterSeconds * SECOND };
  return coded('UPSTREAM_UNAVAILABLE', message, wait);
}
