import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Visibility } from '../../domain/access.ts';
import type { OrderStore } from '../../ports/store/orders.ts';
import { type Base, inList } from './base.ts';
import { smsFrom } from './rows/sms.ts';
import { smsRevisions } from './tables.ts';

type Messages = Pick<OrderStore, 'messages' | 'messagesOf' | 'messagesAfter'>;

/** What followers read. A message without a sequence number of the reader's kind is not yet theirs to see. */
export function createMessages({ db }: Base): Messages {
  const { orderId, revision, sequence, owner, ownerSequence } = smsRevisions;
  const own = eq(owner, sql.placeholder('caller'));
  const all = isNotNull(sequence);

  function queries(visible: SQL, number: SQLiteColumn) {
    const select = () => db.select().from(smsRevisions);
    return {
      ofOne: select()
        .where(
          and(eq(orderId, sql.placeholder('id')), gt(revision, sql.placeholder('afterRevision')), visible),
        )
        .orderBy(asc(revision))
        .limit(sql.placeholder('limit'))
        .prepare(),
      ofMany: select()
        .where(and(inList(orderId, 'ids'), visible))
        .orderBy(asc(orderId), asc(revision))
        .prepare(),
      behind: select()
        .where(and(visible, gt(number, sql.placeholder('afterSequence'))))
        .orderBy(asc(number))
        .limit(sql.placeholder('limit'))
        .prepare(),
    };
  }
  const ofOwner = queries(own, ownerSequence);
  const ofAll = queries(all, sequence);

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
