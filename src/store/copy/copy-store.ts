import type { Instant } from '../../domain/time.ts';
import { connectAlone } from '../postgres/connections.ts';
import { migrate } from '../postgres/migrate.ts';
import { migrations } from '../postgres/migrations.ts';
import { openSource } from './source.ts';
import { copiedTables, type TableSum } from './tables.ts';
import { openTarget } from './target.ts';

/** Rows of one commit: a copy that is cut off loses no more of its work. */
const CHUNK = 1_000;

export interface CopyOptions {
  /** A SQLite database that no gateway runs on. */
  readonly file: string;
  /** Of a PostgreSQL database that holds nothing, or a copy of this file that was cut off. */
  readonly url: string;
  readonly now: Instant;
  /** Told after each part of a table, with the rows that are there by then. */
  onProgress(table: string, rows: number, of: number): void;
}

export interface TableCopy extends TableSum {
  readonly name: string;
}

/**
 * Copies a SQLite database to PostgreSQL: by parts, so that one that was cut off goes on where it was, and compared row by
 * row in the end. Until that is done no gateway starts on the target, and after it none on the source.
 *
 * @throws Error, for the operator: the file is in use, the target holds something else, or the two are not alike.
 */
export async function copyStore({ file, url, now, onProgress }: CopyOptions): Promise<readonly TableCopy[]> {
  const source = openSource(file, now);
  try {
    const client = await connectAlone(url);
    try {
      await migrate(client, migrations);
      const target = await openTarget(client);
      let progress = await target.progress();
      if ([...progress.values()].some(({ verified }) => verified)) {
        throw new Error('a SQLite database was copied to this one already, and it may have served since');
      }
      if (progress.size === 0 && (await target.isUsed())) {
        throw new Error('the PostgreSQL database is not empty: a copy would mix two gateways');
      }
      const sums = new Map(copiedTables.map((table) => [table.name, source.sum(table)]));
      const isResumed = [...sums].every(([name, { checksum }]) => progress.get(name)?.checksum === checksum);
      if (!isResumed && source.isRetired()) {
        throw new Error(
          `${file} is a backup, or was copied elsewhere before: if it is to be served from nevertheless, say so first by \`switchboard accept-backup\``,
        );
      }
      if (!isResumed) {
        // Nothing yet, or of a file that has changed since.
        await target.begin(sums);
        progress = await target.progress();
      }
      const copies: TableCopy[] = [];
      for (const table of copiedTables) {
        const sum = sums.get(table.name);
        if (sum === undefined) throw new Error(`${table.name} was not summed up`);
        let last = progress.get(table.name)?.last ?? null;
        let rows = source.rowsAfter(table, last, CHUNK);
        // What an earlier run has brought counts: an operator reads how much is left.
        let copied = last === null ? 0 : await target.count(table);
        for (; rows.length > 0; rows = source.rowsAfter(table, last, CHUNK)) {
          await target.add(table, rows);
          copied += rows.length;
          last = (await target.progress()).get(table.name)?.last ?? null;
          onProgress(table.name, copied, sum.rows);
        }
        copies.push({ name: table.name, ...sum });
      }
      for (const table of copiedTables) {
        const wanted = sums.get(table.name);
        const { rows, checksum } = await target.sum(table);
        if (rows !== wanted?.rows || checksum !== wanted.checksum) {
          throw new Error(
            `${table.name} is not alike in both: ${wanted?.rows} rows were to be copied, ${rows} are there. Empty the target, and copy again`,
          );
        }
      }
      // The source first: were this cut off in between, neither could be served from, rather than both.
      source.retire(now);
      await target.finish();
      return copies;
    } finally {
      await client.end();
    }
  } finally {
    source.close();
  }
}
