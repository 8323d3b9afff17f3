import { later } from '../../domain/time.ts';
import type { Presence } from '../../ports/store/presence.ts';
import type { Base } from './base.ts';

export function createPresence({ database, writer }: Base): Presence {
  const note = database.prepare<[name: string, until: number]>(
    `insert into counters (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`,
  );
  // Those far ahead are of a clock that has been set back since.
  const dropOthers = database.prepare<[now: number, longest: number]>(
    `delete from counters where name like 'instance:%' and (value <= ? or value > ?)`,
  );
  const count = database
    .prepare<[], number>(`select count(*) from counters where name like 'instance:%'`)
    .pluck();
  const drop = database.prepare<[name: string]>(`delete from counters where name = ?`);
  return {
    beat: (token, leaseMs) =>
      writer.write(({ now }) => {
        const until = later(now, leaseMs);
        note.run(`instance:${token}`, until);
        dropOthers.run(now, until);
        return count.get() ?? 1;
      }),
    leave: (token) =>
      writer.write(() => {
        drop.run(`instance:${token}`);
      }),
  };
}
