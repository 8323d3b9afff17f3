import type { AuditEntry, ReadAct } from '../domain/audit.ts';
import { builder } from './builder.ts';
import { type Connection, connectionOf } from './connection.ts';

const AuditActType = builder.enumType('AuditAct', {
  description: 'What somebody had done. It tells that it was begun: what came of it stands with its subject.',
  values: {
    CREATE_ORDER: { description: 'Ordered numbers, by a new attempt.' },
    REACTIVATE_ORDER: { description: 'Rented a number again, by a new attempt.' },
    CANCEL_ORDER: { description: 'Had an order canceled.' },
    FINISH_ORDER: { description: 'Had an order finished.' },
    RESEND_SMS: { description: 'Had another message asked for.' },
    CLOSE_ATTEMPT: { description: 'Closed an attempt that was held for a person.' },
    PULL_SUPPLIER_ORDERS: { description: 'Claimed supplier orders, by a pull.' },
    LEASE_SUPPLIER_ORDER: { description: 'Took or moved the lease of a supplier order.' },
    RELEASE_SUPPLIER_ORDER: { description: 'Ended the lease of a supplier order.' },
    DELIVER_SUPPLIER_ORDER: { description: 'Delivered lines, by a new delivery.' },
    CONNECT_WEBHOOK: { description: 'Told the provider where to deliver its webhooks.' },
    REPLAY_WEBHOOK: { description: 'Had a dead webhook worked off again.' },
    CREATE_KEY: { description: 'Made a gateway key.' },
    REVOKE_KEY: { description: 'Revoked a gateway key.' },
    UNKNOWN: {
      description: 'Something that a newer version of the gateway has a word for, and this one has not.',
    },
  } satisfies Record<ReadAct, { readonly description: string }>,
});

const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description:
    'One act of somebody. Written in the same transaction as the act itself; never changed and never erased.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    act: t.expose('act', { type: AuditActType, description: 'What was done.' }),
    subject: t.exposeString('subject', {
      description:
        'The id of what it was done to: of an attempt, an order, a supplier order, a delivery, a pull, a key or a webhook kept here; of CONNECT_WEBHOOK, the address.',
    }),
    caller: t.string({
      nullable: true,
      description: "Whose key it was; null of what was done at the machine's command line.",
      resolve: ({ by }) => (by.kind === 'caller' ? by.caller : null),
    }),
    keyId: t.id({
      nullable: true,
      description: "Which key, by its id; null at the command line, and of the sandbox's ready key.",
      resolve: ({ by }) => (by.kind === 'caller' ? by.keyId : null),
    }),
    requestId: t.string({
      nullable: true,
      description: 'Finds the request in the log; null at the command line.',
      resolve: ({ by }) => (by.kind === 'caller' ? by.requestId : null),
    }),
  }),
});

export const AuditConnectionType = connectionOf<AuditEntry, Connection<AuditEntry>>(
  'Audit',
  'acts',
  AuditEntryType,
);
