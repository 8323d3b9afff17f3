import { type CallerName, parseBusinessJobId, parseIdempotencyKey } from '../domain/ids.ts';
import type { Rupiah } from '../domain/money.ts';
import type { CreateRequest } from '../domain/orders/compare.ts';
import type { CreateOutcome } from '../domain/orders/outcome.ts';
import type { Instant } from '../domain/time.ts';
import type { ReactivateResult } from '../flows/orders/reactivate-order.ts';
import { badInput, notFound, orBadInput } from './errors.ts';
import { upstreamError } from './upstream-error.ts';

/** What the inputs of a create and of a reactivation have in common. */
interface JobInput {
  readonly businessJobId: string;
  readonly idempotencyKey?: string | null | undefined;
  readonly reviewThresholdAt?: Instant | null | undefined;
}

type Job = Pick<CreateRequest, 'caller' | 'businessJobId' | 'idempotencyKey' | 'reviewThresholdAt'>;

/** @throws BAD_USER_INPUT for a job or key that is none. */
export function jobOf(input: JobInput, caller: CallerName): Job {
  const { businessJobId, idempotencyKey } = input;
  return {
    caller,
    businessJobId: orBadInput(
      parseBusinessJobId(businessJobId),
      'businessJobId',
      '1 to 200 characters, not blank and without control characters',
    ),
    idempotencyKey:
      typeof idempotencyKey === 'string'
        ? orBadInput(parseIdempotencyKey(idempotencyKey), 'idempotencyKey', '1 to 128 of A-Z a-z 0-9 _ -')
        : null,
    reviewThresholdAt: input.reviewThresholdAt ?? null,
  };
}

/** @throws BAD_USER_INPUT below 0. */
export function amountOf(asked: Rupiah | null | undefined, field: string): Rupiah | null {
  if (asked === null || asked === undefined) return null;
  if (asked < 0) throw badInput(field, '0 or more');
  return asked;
}

/** The outcome, or the coded error of why there is none. */
export function outcomeOf(result: ReactivateResult): CreateOutcome {
  switch (result.kind) {
    case 'outcome':
      return result.outcome;
    case 'key-taken':
      throw badInput('idempotencyKey', 'a key that no other attempt has');
    case 'fault':
      throw upstreamError(result.fault);
    case 'no-order':
      throw notFound('order');
  }
}
