import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Visibility } from '../../domain/access.ts';
import type { OrderStore } from '../../ports/store/orders.ts';
import { smsFrom } from '../rows/sms.ts';
import { type Base, inList } from './base.ts';
import { rowFinder } from './read-rows.ts';
import { smsRevisions } from './tables.ts';

type Messages = Pick<OrderStore, 'messages' | 'messagesOf' | 'messagesAfter'>;

/** What followers read. A message without a sequence number of the reader's kind is not yet theirs to see. */
export function createMessages({ database, db }: Base): Messages {
  const { orderId, revision, sequence, owner, ownerSequence } = smsRevisions;
  const caller = sql.placeholder('caller');

  function queries(visible: SQL, visibleOfOrder: SQL, number: SQLiteColumn) {
    const select = () => db.select().from(smsRevisions);
    return {
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

  const ofOrder = 'where order_id = ? and revision > ?';
  const ofOwnedOrder = rowFinder(
    database,
    smsRevisions,
    `${ofOrder} and +owner = ? order by revision limit ?`,
  );
  const ofAnyOrder = rowFinder(
    database,
    smsRevisions,
    `${ofOrder} and sequence is not null order by revision limit ?`,
  );

  function choice(scope: Visibility) {
    return scope.kind === 'own'
      ? { prepared: ofOwner, who: { caller: scope.caller } }
      : { prepared: ofAll, who: {} };
  }

  return {
    async messages(scope, id, afterRevision, limit) {
      const rows =
        scope.kind === 'own'
          ? ofOwnedOrder.all(id, afterRevision, scope.caller, limit)
          : ofAnyOrder.all(id, afterRevision, limit);
      return rows.map((row) => smsFrom(row, scope));
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
