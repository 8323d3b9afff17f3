import { onServer } from './on-server.ts';

/** Drops what the processes of the run with this name have made. */
export async function dropOfRun(server: string, run: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ nspname: string }>(
      `select nspname from pg_namespace where nspname ~ ('^test_[0-9]+_' || $1)`,
      [run],
    );
    for (const { nspname } of rows) await client.query(`drop schema if exists ${nspname} cascade`);
  });
}
