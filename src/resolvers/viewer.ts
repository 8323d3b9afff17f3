import { builder } from '../schema/builder.ts';
import { BudgetType, ViewerType } from '../schema/viewer.ts';

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'Who is asking: the caller behind the API key, its scopes and its budget. Any key may ask.',
    resolve: (_root, _args, context) => context.caller,
  }),
);

builder.objectField(ViewerType, 'budget', (t) =>
  t.field({
    type: BudgetType,
    nullable: true,
    description: "The caller's cap on spending, over all of its keys; null where it has none.",
    resolve: async (caller, _args, { deps }) => {
      const budget = await deps.store.budgets.find(caller.name);
      return budget.limit === null ? null : { ...budget, limit: budget.limit };
    },
  }),
);
