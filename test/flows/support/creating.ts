import { rupiah } from '../../../src/domain/money.ts';
import type { Attempt } from '../../../src/domain/orders/attempt.ts';
import type { CreateRequest } from '../../../src/domain/orders/compare.ts';
import type { CreateOutcome } from '../../../src/domain/orders/outcome.ts';
import type { PaidReply } from '../../../src/domain/orders/reply.ts';
import { type CreateResult, createOrder } from '../../../src/flows/orders/create-order.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import { type GatewayOptions, made, openScripted, type TestGateway } from '../../support/gateway.ts';
import type { ScriptedNumbers } from '../../support/scripted-numbers.ts';
import { alice, aProduct, byAlice, catalogProductId, job, must, start } from '../../support/values.ts';

/** One number of the tier that is listed, for alice's first job. */
export const asked: CreateRequest = {
  kind: 'CREATE',
  caller: alice,
  businessJobId: job('job-1'),
  catalogProductId: catalogProductId(88),
  quantity: 1,
  maxUnitPrice: null,
  routing: null,
  idempotencyKey: null,
  reviewThresholdAt: null,
};

export const oneMade: PaidReply = { kind: 'made', orders: [made()], failedCount: 0 };
export const listedTier = aProduct();

/** A provider that lists one tier, makes one order, and knows no other. */
export function provider(change: Partial<NumbersApi> = {}): Partial<NumbersApi> {
  return {
    products: async () => ({ kind: 'read', value: [listedTier], readAt: start }),
    countries: async () => ({ kind: 'read', value: [], readAt: start }),
    services: async () => ({ kind: 'read', value: [], readAt: start }),
    sendPaid: async () => oneMade,
    balance: async () => ({ kind: 'read', value: { currency: 'IDR', amount: rupiah(1_000) }, readAt: start }),
    ...change,
  };
}

export interface CreatingGateway extends TestGateway {
  readonly upstream: ScriptedNumbers;
  /** Creates what is asked, but for what is said here, and lets time pass until it is answered. */
  create(more?: Partial<CreateRequest>): Promise<CreateResult>;
}

export async function openCreating(
  change: Partial<NumbersApi> = {},
  options: Omit<GatewayOptions, 'numbers'> = {},
): Promise<CreatingGateway> {
  const gateway = await openScripted(provider(change), options);
  return {
    ...gateway,
    create: (more = {}) => gateway.clock.until(createOrder(gateway.deps, { ...asked, ...more }, byAlice)),
  };
}

export function outcomeIn(result: CreateResult): CreateOutcome {
  if (result.kind !== 'outcome') throw new Error(`the create came to ${result.kind}`);
  return result.outcome;
}

/** Paid requests that have left. */
export function sendsOf({ upstream }: { readonly upstream: ScriptedNumbers }): number {
  return upstream.count('sendPaid');
}

export async function attemptOf({ store }: TestGateway, name = 'job-1'): Promise<Attempt> {
  return must((await store.attempts.find(alice, job(name)))?.attempt);
}
