import type { Database } from './database.ts';
import { insertInto, replacing, select } from './statements.ts';
import { settings } from './tables.ts';
import { keep, type Transaction } from './transaction.ts';

const findSetting = select(settings, 'where name = $1');
const saveSetting = insertInto(settings, replacing(settings, 'name'));
const addSetting = insertInto(settings, 'on conflict do nothing');

/** What the database keeps about itself, and small durable facts. */
export function createSettings(database: Database) {
  return {
    save(tx: Transaction, name: string, value: string): void {
      tx.send(saveSetting, saveSetting.values([{ name, value }]));
    },
    async find(name: string): Promise<string | null> {
      const [row] = await database.read(findSetting, [name]);
      return row?.value ?? null;
    },
    put: (name: string, value: string) => save(saveSetting, name, value),
    putIfAbsent: (name: string, value: string) => save(addSetting, name, value),
  };

  function save(how: typeof saveSetting, name: string, value: string): Promise<void> {
    return database.write(async (tx) => {
      tx.send(how, how.values([{ name, value }]));
      return keep(() => undefined);
    });
  }
}
