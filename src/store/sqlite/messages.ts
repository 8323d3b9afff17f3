import type { OrderStore } from '../../ports/store/orders.ts';
import { smsFrom } from '../rows/sms.ts';
import { type Base, boundLimit } from './base.ts';
import { rowFinder } from './read-rows.ts';
import { smsRevisions } from './tables.ts';

type Messages = Pick<OrderStore, 'messages' | 'messagesOf' | 'messagesAfter'>;

/** What followers read. A message without a sequence number of the reader's kind is not yet theirs to see. */
export function createMessages({ database }: Base): Messages {
  const find = (rest: string) => rowFinder(database, smsRevisions, `where ${rest}`);
  const ofOrder = 'order_id = ? and revision > ?';
  const ofMany = 'order_id in (select value from json_each(?))';
  // The plus sign keeps the planner on the order's own index: an owner has many more messages.
  const owned = {
    ofOrder: find(`${ofOrder} and +owner = ? order by revision ${boundLimit}`),
    ofMany: find(`${ofMany} and +owner = ? order by order_id, revision`),
    behind: find(`owner = ? and owner_sequence > ? order by owner_sequence ${boundLimit}`),
  };
  const shown = {
    ofOrder: find(`${ofOrder} and sequence is not null order by revision ${boundLimit}`),
    ofMany: find(`${ofMany} and sequence is not null order by order_id, revision`),
    behind: find(`sequence > ? order by sequence ${boundLimit}`),
  };

  return {
    async messages(scope, id, afterRevision, limit) {
      const rows =
        scope.kind === 'own'
          ? owned.ofOrder.all(id, afterRevision, scope.caller, limit)
          : shown.ofOrder.all(id, afterRevision, limit);
      return rows.map((row) => smsFrom(row, scope));
    },
    async messagesOf(scope, ids) {
      const list = JSON.stringify(ids);
      const rows = scope.kind === 'own' ? owned.ofMany.all(list, scope.caller) : shown.ofMany.all(list);
      return rows.map((row) => smsFrom(row, scope));
    },
    async messagesAfter(scope, afterSequence, limit) {
      const rows =
        scope.kind === 'own'
          ? owned.behind.all(scope.caller, afterSequence, limit)
          : shown.behind.all(afterSequence, limit);
      return rows.map((row) => smsFrom(row, scope));
    },
  };
}
