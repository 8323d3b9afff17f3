import { onServer } from '../../store/postgres/support/on-server.ts';
import { makeSchema, urlOf } from '../../store/postgres/support/postgres-database.ts';
import { findPostgres } from '../../store/postgres/support/services.ts';
import { must } from '../../support/values.ts';
import type { GatewayDatabase } from './database.ts';

/** A schema of its own; the gateway's start makes its tables. */
export async function createSchema(): Promise<GatewayDatabase> {
  const server = must(findPostgres());
  const schema = await makeSchema(server);
  return {
    url: urlOf(server, schema),
    async refuseInserts(tables) {
      await onServer(server, async (client) => {
        await client.query(
          `create function ${schema}.refuse() returns trigger language plpgsql
           as $$ begin raise exception 'disk full' using errcode = 'disk_full'; end $$`,
        );
        for (const table of tables) {
          await client.query(
            `create trigger is_full before insert on ${schema}.${table} for each row execute function ${schema}.refuse()`,
          );
        }
      });
    },
    drop: () => onServer(server, (client) => client.query(`drop schema ${schema} cascade`)),
  };
}
