import type { Presence } from '../../ports/store/presence.ts';
import { type Base, time } from './base.ts';
import { command, statement, wholeNumber } from './statements.ts';
import { keep } from './transaction.ts';

const note = command(
  `insert into counters (name, value) values ($1, ${time(3)} + $2)
   on conflict (name) do update set value = excluded.value`,
);
// Those far ahead are of a clock that has been set back since. What another instance is just writing is left to it.
const dropOthers = command(
  `delete from counters where name in (
     select name from counters where name like 'instance:%' and (value <= ${time(2)} or value > ${time(2)} + $1::bigint)
     for update skip locked)`,
);
const count = statement(`select count(*) from counters where name like 'instance:%'`, ([one]) =>
  wholeNumber(one),
);
const drop = command(`delete from counters where name = $1`);

export function createPresence({ database, at }: Base): Presence {
  return {
    beat: (token, leaseMs) =>
      database.write(async (tx) => {
        tx.send(note, [`instance:${token}`, leaseMs, at()]);
        tx.send(dropOthers, [leaseMs, at()]);
        const [here = 1] = await tx.rows(count, []);
        return keep(() => here);
      }),
    leave: (token) =>
      database.write(async (tx) => {
        tx.send(drop, [`instance:${token}`]);
        return keep(() => undefined);
      }),
  };
}
