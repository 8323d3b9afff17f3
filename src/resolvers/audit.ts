import type { AuditEntry } from '../domain/audit.ts';
import { parseCallerName } from '../domain/ids.ts';
import { AuditConnectionType } from '../schema/audit.ts';
import { builder } from '../schema/builder.ts';
import { orBadInput } from './errors.ts';
import { asOverseer } from './guard.ts';
import { DEFAULT_FIRST, numberedList, openEndedPage } from './page.ts';

const auditList = numberedList<AuditEntry>('audit', ({ sequence }) => sequence);

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
    resolve: asOverseer((_root, args, context) => {
      const caller =
        args.caller === null || args.caller === undefined
          ? null
          : orBadInput(parseCallerName(args.caller), 'caller', 'the name of a caller');
      return openEndedPage(context, auditList, caller, args, (before, limit) =>
        context.deps.store.audit.entries(caller, before, limit),
      );
    }),
  }),
);
