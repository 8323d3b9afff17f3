import type { Balance } from '../../domain/balance.ts';
import type { Rupiah } from '../../domain/money.ts';
import type { Deps } from '../deps.ts';
import { clearAlert, raiseAlert } from './raise-alert.ts';

/** Reads the balance and judges it. */
export async function watchBalance(deps: Deps): Promise<void> {
  const read = await deps.balance.read();
  if (read.kind !== 'read') {
    deps.log.warn('the balance could not be read', { fault: read.kind });
    return;
  }
  await judgeBalance(deps, read.value);
}

/** Alerts when the balance is below the threshold: once, and again only after it had recovered. */
export async function judgeBalance(deps: Deps, balance: Balance): Promise<void> {
  deps.metrics.balance(balance.amount);
  const threshold = deps.settings.balanceAlertBelow;
  if (threshold === null) return;
  if (isLow(balance, threshold)) {
    const message = `the balance is ${balance.amount} ${balance.currency}, below ${threshold}: top it up, or orders will be refused`;
    await raiseAlert(deps, 'LOW_BALANCE', message);
  } else {
    await clearAlert(deps, 'LOW_BALANCE');
  }
}

/** Below the alert threshold. Without a threshold nothing is low. */
function isLow(balance: Balance, threshold: Rupiah | null): boolean {
  return threshold !== null && balance.amount < threshold;
}
