import type { BalanceStore } from '../../ports/store/balances.ts';
import { balanceFrom } from '../rows/balance.ts';
import type { Base } from './base.ts';
import { command, insertInto, select, statement, wholeNumber } from './statements.ts';
import { balances } from './tables.ts';
import { keep, leave } from './transaction.ts';

// Locked to the commit: who comes second sees what the first has written, and its number comes behind.
const lockCounter = statement(
  `select value from counters where name = 'balances' for no key update`,
  ([value]) => wholeNumber(value),
);
const moveCounter = command(`update counters set value = $1 where name = 'balances'`);
const findLatest = select(balances, 'order by sequence desc limit 1');
const findAfter = select(balances, 'where sequence > $1 order by sequence');
const addBalance = insertInto(balances);
const moveOn = command('update balances set as_of = $2 where sequence = $1');

export function createBalanceStore({ database }: Base): BalanceStore {
  return {
    async latest() {
      const [row] = await database.read(findLatest, []);
      return row === undefined ? null : balanceFrom(row);
    },
    record: (reading) =>
      database.write(async (tx) => {
        const [[value], [row]] = await Promise.all([tx.rows(lockCounter), tx.rows(findLatest)]);
        if (value === undefined) throw new Error('the counter of balances is gone');
        const last = row === undefined ? null : balanceFrom(row);
        if (last !== null && reading.asOf < last.asOf) return leave(last);
        if (last !== null && reading.amount === last.amount && reading.currency === last.currency) {
          tx.send(moveOn, [last.sequence, reading.asOf]);
          return keep(() => ({ ...last, asOf: reading.asOf }));
        }
        const balance = { ...reading, sequence: value + 1 };
        tx.send(addBalance, addBalance.values([balance]));
        tx.send(moveCounter, [balance.sequence]);
        tx.wake(['balance']);
        return keep(() => balance);
      }),
    async after(sequence) {
      return (await database.read(findAfter, [sequence])).map(balanceFrom);
    },
  };
}
