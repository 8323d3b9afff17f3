import type Database from 'better-sqlite3';

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly dflt_value: string | null;
}

/** The schema as SQLite has understood it, however its SQL was written. */
export function describeSchema(database: Database.Database): Record<string, unknown> {
  const tables = database
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migrations' order by name`,
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name, sql }) => [
      name,
      {
        columns: columnsOf(database, name),
        foreignKeys: database
          .prepare(`select "from", "table", "to", on_delete from pragma_foreign_key_list(?) order by "from"`)
          .all(name),
        countsByItself: /autoincrement/i.test(sql),
        indexes: indexesOf(database, name),
      },
    ]),
  );
}

function columnsOf(database: Database.Database, table: string) {
  const columns = database
    .prepare<[string], ColumnInfo>('select name, type, "notnull", pk, dflt_value from pragma_table_info(?)')
    .all(table);
  return columns
    .map((column) => ({ ...column, type: column.type.toLowerCase() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function indexesOf(database: Database.Database, table: string) {
  const indexes = database
    .prepare<[string], { name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null order by name`,
    )
    .all(table);
  return indexes.map(({ name, sql }) => ({
    name,
    isUnique: /^create unique/i.test(sql),
    columns: database
      .prepare<[string], string | null>('select name from pragma_index_info(?) order by seqno')
      .pluck()
      .all(name),
    where: / where (.*)$/i.exec(sql)?.[1] ?? null,
  }));
}
