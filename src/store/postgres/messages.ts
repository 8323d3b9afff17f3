import type { Visibility } from '../../domain/access.ts';
import type { OrderStore } from '../../ports/store/orders.ts';
import { smsFrom } from '../rows/sms.ts';
import type { Base } from './base.ts';
import { select } from './statements.ts';
import { smsRevisions } from './tables.ts';

type Messages = Pick<OrderStore, 'messages' | 'messagesOf' | 'messagesAfter'>;

/** `visible` has the reader's name, where it needs one, as $1. */
function statementsFor(visible: string, sequence: string) {
  return {
    ofOne: select(
      smsRevisions,
      `where order_id = $2 and revision > $3 and ${visible} order by revision limit $4`,
    ),
    ofMany: select(
      smsRevisions,
      `where order_id = any($2::bigint[]) and ${visible} order by order_id, revision`,
    ),
    behind: select(smsRevisions, `where ${visible} and ${sequence} > $2 order by ${sequence} limit $3`),
  };
}

// An order's own messages are found by its key; who may see them is judged on the rows.
const ofOwner = statementsFor('owner = $1::text and owner is not null', 'owner_sequence');
const ofAll = statementsFor('$1::text is null and sequence is not null', 'sequence');

/** What followers read. A message without a sequence number of the reader's kind is not yet theirs to see. */
export function createMessages({ database }: Base): Messages {
  const choice = (scope: Visibility) =>
    scope.kind === 'own' ? { asked: ofOwner, who: scope.caller } : { asked: ofAll, who: null };

  return {
    async messages(scope, id, afterRevision, limit) {
      const { asked, who } = choice(scope);
      const rows = await database.read(asked.ofOne, [who, id, afterRevision, limit]);
      return rows.map((row) => smsFrom(row, scope));
    },
    async messagesOf(scope, ids) {
      const { asked, who } = choice(scope);
      return (await database.read(asked.ofMany, [who, ids])).map((row) => smsFrom(row, scope));
    },
    async messagesAfter(scope, afterSequence, limit) {
      const { asked, who } = choice(scope);
      return (await database.read(asked.behind, [who, afterSequence, limit])).map((row) =>
        smsFrom(row, scope),
      );
    },
  };
}
