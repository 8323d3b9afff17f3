import type { OrderId } from '../../../src/domain/ids.ts';
import type { OrderSnapshot } from '../../../src/domain/orders/order.ts';
import type { NumbersApi, ReadReply, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import {
  type GatewayOptions,
  haveOrders,
  made,
  openScripted,
  type TestGateway,
} from '../../support/gateway.ts';
import type { ScriptedNumbers } from '../../support/scripted-numbers.ts';
import { orderId } from '../../support/values.ts';

export const seven = orderId(7);

export interface ActingGateway extends TestGateway {
  readonly upstream: ScriptedNumbers;
}

/** Alice has order 7, of 5,000 rupiah. */
export async function openActing(
  script: Partial<NumbersApi>,
  options: Omit<GatewayOptions, 'numbers'> = {},
): Promise<ActingGateway> {
  const gateway = await openScripted(script, options);
  if (options.database === undefined) await haveOrders(gateway.store, made());
  return gateway;
}

/** Reads that come to these, one after the other, the last one for ever. */
export function readings(
  clock: () => Pick<TestGateway, 'clock'>,
  ...list: readonly (Partial<OrderSnapshot> | UpstreamFault)[]
): NumbersApi['order'] {
  let next = 0;
  return async (id: OrderId): Promise<ReadReply<OrderSnapshot>> => {
    const reading = list[Math.min(next++, list.length - 1)];
    if (reading === undefined) throw new Error('the test has no reading');
    if ('kind' in reading) return reading;
    return { kind: 'read', value: made({ id, ...reading }), readAt: clock().clock.now() };
  };
}

export const unavailable: UpstreamFault = { kind: 'unavailable', httpStatus: null, retryAfterSeconds: null };
