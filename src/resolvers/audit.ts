import type { AuditEntry } from '../domain/audit.ts';
import { parseCallerName } from '../domain/ids.ts';
import { AuditConnectionType } from '../schema/audit.ts';
import { builder } from '../schema/builder.ts';
import type { Edge } from '../schema/connection.ts';
import { orBadInput } from './errors.ts';
import { asOverseer } from './guard.ts';
import { cursorAt, DEFAULT_FIRST, firstOf, type List, positionAt } from './page.ts';

const auditList: List<number> = {
  name: 'audit',
  valuesOf: (sequence) => [sequence],
  positionOf: ([sequence]) => (typeof sequence === 'number' ? sequence : null),
};

builder.queryField('audit', (t) =>
  t.field({
    type: AuditConnectionType,
    description: 'Operator only: who did what, newest first.',
    args: {
      caller: t.arg.string({
        description: "Only this caller's acts; left out: everyone's, and those of the command line.",
      }),
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 100.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the newest.' }),
    },
    resolve: asOverseer(async (_root, args, context) => {
      const caller =
        args.caller === null || args.caller === undefined
          ? null
          : orBadInput(parseCallerName(args.caller), 'caller', 'the name of a caller');
      const first = firstOf(args);
      const before = positionAt(context, auditList, caller, args.after);
      const found = await context.deps.store.audit.entries(caller, before, first + 1);
      return {
        edges: found.slice(0, first).map(
          (entry): Edge<AuditEntry> => ({
            node: entry,
            cursor: () => cursorAt(context, auditList, caller, entry.sequence),
          }),
        ),
        hasNextPage: found.length > first,
        hasPreviousPage: before !== null,
      };
    }),
  }),
);
