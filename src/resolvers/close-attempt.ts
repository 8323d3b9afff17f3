import { CloseCreateAttemptInputType, CreateAttemptType } from '../schema/attempt.ts';
import { builder } from '../schema/builder.ts';
import { notYetAvailable } from './errors.ts';
import { asOperator } from './guard.ts';

builder.mutationField('closeCreateAttempt', (t) =>
  t.field({
    type: CreateAttemptType,
    description:
      'Operator only: closes an attempt held in OPERATOR_REVIEW with what was found out. Buys nothing; reads the orders named.',
    args: {
      input: t.arg({
        type: CloseCreateAttemptInputType,
        required: true,
        description: 'Which attempt, and the finding.',
      }),
    },
    resolve: asOperator(() => {
      throw notYetAvailable();
    }),
  }),
);
