import type { Turns } from '../../ports/store/turns.ts';
import { turnCounter } from '../turn-counter.ts';
import { type Base, time } from './base.ts';
import { command, statement, wholeNumber } from './statements.ts';
import { keep, leave } from './transaction.ts';

// Of two that ask in the same moment the second waits for the first one's commit, and then finds the turn taken.
const takeTurn = statement(
  `insert into counters as turn (name, value) values ($1, ${time(4)} + $2)
   on conflict (name) do update set value = excluded.value
   where turn.value <= ${time(4)} or turn.value > ${time(4)} + $3::bigint returning 1`,
  ([one]) => wholeNumber(one),
);
const findWait = statement(`select value - ${time(2)} from counters where name = $1`, ([wait]) =>
  wholeNumber(wait),
);
const setTurn = command(
  `insert into counters (name, value) values ($1, ${time(3)} + $2)
   on conflict (name) do update set value = excluded.value`,
);

export function createTurns({ database, at }: Base): Turns {
  return {
    take: (work, interval, longest) =>
      database.write(async (tx) => {
        const name = turnCounter(work);
        const taken = await tx.rows(takeTurn, [name, interval, longest, at()]);
        if (taken.length > 0) return keep(() => 0);
        const [wait] = await tx.rows(findWait, [name, at()]);
        return leave(Math.max(wait ?? 0, 1));
      }),
    pause: (work, milliseconds) =>
      database.write(async (tx) => {
        tx.send(setTurn, [turnCounter(work), milliseconds, at()]);
        return keep(() => undefined);
      }),
  };
}
