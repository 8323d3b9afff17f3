import { connectAlone } from '../postgres/connections.ts';
import { migrate } from '../postgres/migrate.ts';
import { migrations } from '../postgres/migrations.ts';
import type { KeptRow } from './sealed-tables.ts';
import { keyValues, replaceValues, resealSql, type SealedRows } from './statements.ts';

/** Brings the schema up to date. */
export async function postgresRows(url: string): Promise<SealedRows> {
  const client = await connectAlone(url);
  await migrate(client, migrations);
  const sql = resealSql((nth) => `$${nth}`);

  return {
    async count({ name }) {
      const { rows } = await client.query<{ of: string }>(`select count(*) as of from ${name}`);
      return Number(rows[0]?.of ?? 0);
    },
    async rowsAfter(table, last, limit) {
      const values = last === null ? [] : [...keyValues(table, last)];
      return (await client.query<KeptRow>(sql.select(table, last !== null, limit), values)).rows;
    },
    async replace(table, changes) {
      await client.query('begin');
      try {
        for (const change of changes)
          await client.query(sql.replace(table), [...replaceValues(table, change)]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    },
    close: () => client.end(),
  };
}
