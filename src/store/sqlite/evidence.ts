import { and, asc, eq, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { EvidenceStore } from '../../ports/store/evidence.ts';
import { orderFrom } from '../rows/order.ts';
import type { Base } from './base.ts';
import { orders } from './tables.ts';

const MOST_SHOWN = 200;

export function createEvidence({ db }: Base): EvidenceStore {
  const findUnaccounted = db
    .select()
    .from(orders)
    .where(
      and(
        gte(orders.createdAt, sql.placeholder('from')),
        lt(orders.createdAt, sql.placeholder('to')),
        isNull(orders.attemptId),
        isNotNull(orders.amount),
        or(
          isNull(orders.catalogProductId),
          sql`${sql.placeholder('product')} is null`,
          eq(orders.catalogProductId, sql.placeholder('product')),
        ),
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(MOST_SHOWN)
    .prepare();
  return {
    async unaccounted(from, to, catalogProductId) {
      return findUnaccounted.all({ from, to, product: catalogProductId }).map(orderFrom);
    },
  };
}
