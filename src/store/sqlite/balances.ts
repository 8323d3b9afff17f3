import { asc, desc, gt, sql } from 'drizzle-orm';
import type { Balance } from '../../domain/balance.ts';
import type { BalanceStore } from '../../ports/store/balances.ts';
import { balanceFrom } from '../rows/balance.ts';
import { type Base, parameter } from './base.ts';
import { balances } from './tables.ts';

export function createBalanceStore({ db, writer }: Base): BalanceStore {
  const findLatest = db.select().from(balances).orderBy(desc(balances.sequence)).limit(1).prepare();
  const findAfter = db
    .select()
    .from(balances)
    .where(gt(balances.sequence, sql.placeholder('sequence')))
    .orderBy(asc(balances.sequence))
    .prepare();
  const add = db
    .insert(balances)
    .values({
      currency: sql.placeholder('currency'),
      amount: sql.placeholder('amount'),
      asOf: sql.placeholder('asOf'),
    })
    .returning()
    .prepare();
  const moveOn = db
    .update(balances)
    .set({ asOf: parameter('asOf') })
    .where(sql`${balances.sequence} = ${sql.placeholder('sequence')}`)
    .prepare();

  function latest(): Balance | null {
    const row = findLatest.get();
    return row === undefined ? null : balanceFrom(row);
  }

  return {
    async latest() {
      return latest();
    },
    record: (reading) =>
      writer.write((unit) => {
        const last = latest();
        if (last !== null && reading.asOf < last.asOf) return last;
        if (last !== null && reading.amount === last.amount && reading.currency === last.currency) {
          moveOn.run({ sequence: last.sequence, asOf: reading.asOf });
          return { ...last, asOf: reading.asOf };
        }
        unit.wake(['balance']);
        return balanceFrom(add.get({ ...reading }));
      }),
    async after(sequence) {
      return findAfter.all({ sequence }).map(balanceFrom);
    },
  };
}
