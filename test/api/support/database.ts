/** Where the gateway of a test keeps its rows. */
export interface GatewayDatabase {
  readonly url: string;
  /** Makes every insert into these tables fail from now on, as on a full disk. */
  refuseInserts(tables: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

/** The one place that chooses the store: by TEST_STORE, which the project `postgres` of vitest.config.ts sets. */
export async function createDatabase(directory: string): Promise<GatewayDatabase> {
  // Loaded when asked for: what leads to PostgreSQL asks vitest where it is, and scripts start gateways without vitest.
  if (process.env['TEST_STORE'] === 'postgres') return (await import('./postgres.ts')).createSchema();
  return (await import('./sqlite.ts')).createFile(directory);
}
