import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Visibility } from '../../domain/access.ts';
import type { OrderStore } from '../../ports/store/orders.ts';
import { smsFrom } from '../rows/sms.ts';
import { type Base, inList } from './base.ts';
import { smsRevisions } from './tables.ts';

type Messages = Pick<OrderStore, 'messages' | 'messagesOf' | 'messagesAfter'>;

/** What followers read. A message without a sequence number of the reader's kind is not yet theirs to see. */
export function createMessages({ db }: Base): Messages {
  const { orderId, revision, sequence, owner, ownerSequence } = smsRevisions;
  const caller = sql.placeholder('caller');

  function queries(visible: SQL, visibleOfOrder: SQL, number: SQLiteColumn) {
    const select = () => db.select().from(smsRevisions);
    const above = gt(revision, sql.placeholder('afterRevision'));
    return {
      ofOne: select()
        .where(and(eq(orderId, sql.placeholder('id')), above, visibleOfOrder))
        .orderBy(asc(revision))
        .limit(sql.placeholder('limit'))
        .prepare(),
      ofMany: select()
        .where(and(inList(orderId, 'ids'), visibleOfOrder))
        .orderBy(asc(orderId), asc(revision))
        .prepare(),
      behind: select()
        .where(and(visible, gt(number, sql.placeholder('afterSequence'))))
        .orderBy(asc(number))
        .limit(sql.placeholder('limit'))
        .prepare(),
    };
  }
  // The plus sign keeps the planner on the order's own index: an owner has many more messages.
  const ofOwner = queries(eq(owner, caller), sql`+${owner} = ${caller}`, ownerSequence);
  const ofAll = queries(isNotNull(sequence), isNotNull(sequence), sequence);

  function choice(scope: Visibility) {
    return scope.kind === 'own'
      ? { prepared: ofOwner, who: { caller: scope.caller } }
      : { prepared: ofAll, who: {} };
  }

  return {
    async messages(scope, id, afterRevision, limit) {
      const { prepared, who } = choice(scope);
      return prepared.ofOne.all({ ...who, id, afterRevision, limit }).map((row) => smsFrom(row, scope));
    },
    async messagesOf(scope, ids) {
      const { prepared, who } = choice(scope);
      return prepared.ofMany.all({ ...who, ids: JSON.stringify(ids) }).map((row) => smsFrom(row, scope));
    },
    async messagesAfter(scope, afterSequence, limit) {
      const { prepared, who } = choice(scope);
      return prepared.behind.all({ ...who, afterSequence, limit }).map((row) => smsFrom(row, scope));
    },
  };
}
