import { eq, sql } from 'drizzle-orm';
import type { Turns } from '../../ports/store/turns.ts';
import { turnCounter } from '../turn-counter.ts';
import type { Base } from './base.ts';
import { counters } from './tables.ts';
import { rowWriter } from './write-rows.ts';

export function createTurns({ database, db, writer }: Base): Turns {
  const find = db
    .select()
    .from(counters)
    .where(eq(counters.name, sql.placeholder('name')))
    .prepare();
  const save = rowWriter(database, counters, { replaceBy: ['name'] });
  return {
    take: (work, interval, longest) =>
      writer.write(({ now }) => {
        const name = turnCounter(work);
        const wait = (find.get({ name })?.value ?? now) - now;
        if (wait > 0 && wait <= longest) return wait;
        save({ name, value: now + interval });
        return 0;
      }),
    pause: (work, milliseconds) =>
      writer.write(({ now }) => void save({ name: turnCounter(work), value: now + milliseconds })),
  };
}
