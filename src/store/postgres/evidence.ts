import type { EvidenceStore } from '../../ports/store/evidence.ts';
import { orderFrom } from '../rows/order.ts';
import type { Base } from './base.ts';
import { select } from './statements.ts';
import { orders } from './tables.ts';

const MOST_SHOWN = 200;

const findUnaccounted = select(
  orders,
  `where created_at >= $1 and created_at < $2 and attempt_id is null and amount is not null
     and (catalog_product_id is null or $3::bigint is null or catalog_product_id = $3)
   order by created_at, id limit ${MOST_SHOWN}`,
);

export function createEvidence({ database }: Base): EvidenceStore {
  return {
    async unaccounted(from, to, catalogProductId) {
      return (await database.read(findUnaccounted, [from, to, catalogProductId])).map(orderFrom);
    },
  };
}
