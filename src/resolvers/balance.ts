import type { Balance } from '../domain/balance.ts';
import { followBalance } from '../flows/balance/follow-balance.ts';
import type { Deps } from '../flows/deps.ts';
import { BalanceType } from '../schema/balance.ts';
import { builder } from '../schema/builder.ts';
import { asBuyer } from './guard.ts';
import { openStream } from './open-stream.ts';
import { readOrThrow } from './upstream-error.ts';

builder.queryField('balance', (t) =>
  t.field({
    type: BalanceType,
    description:
      "The account's balance as last read; it is read regularly and after charges. Read upstream now where it never was.",
    args: {
      refresh: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'true: read upstream first.',
      }),
    },
    resolve: asBuyer((_root, { refresh }, { deps }) => presentBalance(deps, refresh)),
  }),
);

builder.subscriptionField('balanceChanged', (t) =>
  t.field({
    type: BalanceType,
    description: 'The present balance, then each change as the gateway reads it. Does not end by itself.',
    subscribe: asBuyer(async (_root, _args, context) => {
      await presentBalance(context.deps, false);
      return openStream(context, 'balanceChanged', followBalance(context.deps));
    }),
    resolve: (balance: Balance) => balance,
  }),
);

builder.objectField(BalanceType, 'low', (t) =>
  t.boolean({
    description: 'Below the threshold that the operator set; false where none is set.',
    resolve: (balance, _args, { deps }) => {
      const threshold = deps.settings.balanceAlertBelow;
      return threshold !== null && balance.amount < threshold;
    },
  }),
);

/** As last read, or read now where it never was. @throws the coded error of a read that failed. */
async function presentBalance(deps: Deps, refresh: boolean): Promise<Balance> {
  const stored = refresh ? null : await deps.store.balances.latest();
  return stored ?? readOrThrow(await deps.balance.read());
}
