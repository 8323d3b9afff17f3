import type { Balance } from '../../domain/balance.ts';
import { SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { NumbersApi, ReadReply } from '../../ports/numbers-api.ts';
import type { BalanceStore } from '../../ports/store/balances.ts';
import { createSingleFlight } from '../single-flight.ts';

/** After a charge the balance is read again, once for all charges within this time. */
const CHARGES_GATHERED = SECOND;

export interface BalanceReader {
  /** Reads upstream, keeps the reading, and answers it. Askers at the same time share one call. */
  read(): Promise<ReadReply<Balance>>;
  /** After a charge: one read soon, beside the caller. */
  refreshSoon(): void;
}

export function createBalanceReader(deps: {
  readonly numbers: NumbersApi;
  readonly balances: BalanceStore;
  readonly clock: Clock;
  readonly log: Log;
}): BalanceReader {
  const share = createSingleFlight<'balance', ReadReply<Balance>>();
  let isPlanned = false;

  const read = (): Promise<ReadReply<Balance>> =>
    share('balance', async () => {
      const reply = await deps.numbers.balance();
      if (reply.kind !== 'read') return reply;
      const value = await deps.balances.record({ ...reply.value, asOf: reply.readAt });
      return { kind: 'read', value, readAt: reply.readAt };
    });

  return {
    read,
    refreshSoon() {
      if (isPlanned) return;
      isPlanned = true;
      deps.clock.after(CHARGES_GATHERED, () => {
        isPlanned = false;
        read().catch((error: unknown) => deps.log.error('the balance could not be kept', {}, error));
      });
    },
  };
}
