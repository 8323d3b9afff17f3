import { isDeepStrictEqual } from 'node:util';
import type { Cipher } from '../../ports/cipher.ts';
import { createRenewal, type Renewal } from './renewal.ts';
import { type KeptRow, type SealedTable, sealedTables } from './sealed-tables.ts';
import { type Change, keyValues, type SealedRows } from './statements.ts';

/** Rows of one commit: some milliseconds in which a gateway that serves from the same file has to wait. */
const CHUNK = 200;
/** Names of rows are told up to so many; more help nobody. */
const MOST_NAMED = 10;
/** Each finds what changed during the one before: two or three are enough, unless somebody works against them. */
const MOST_LOOKS = 10;

export interface Resealed {
  /** Rows that were sealed anew. */
  readonly rows: number;
  /** Rows that no known key opens, and the first of them by name. They are left as they are. */
  readonly unreadable: number;
  readonly named: readonly string[];
}

/**
 * Seals with the newest key whatever an older one has sealed, or none, while gateways serve. Cut off, it goes on where
 * there is something left when it is begun again. It looks until there is nothing to do: rows that were changed under it
 * are left to the next look.
 *
 * @throws Error, for the operator, when there is ever more to do: somebody still seals with another key.
 */
export async function resealStore(
  rows: SealedRows,
  cipher: Cipher,
  onProgress: (table: string, looked: number, of: number, sealed: number) => void,
): Promise<Resealed> {
  const renewal = createRenewal(cipher);
  let total = 0;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const unreadable: string[] = [];
    let sealed = 0;
    for (const table of sealedTables) {
      sealed += await resealTable(rows, table, renewal, unreadable, onProgress);
    }
    total += sealed;
    if (sealed === 0) {
      return { rows: total, unreadable: unreadable.length, named: unreadable.slice(0, MOST_NAMED) };
    }
  }
  throw new Error(
    'rows are still being sealed with another key: restart every instance with the newest first',
  );
}

async function resealTable(
  rows: SealedRows,
  table: SealedTable,
  renewal: Renewal,
  unreadable: string[],
  onProgress: (table: string, looked: number, of: number, sealed: number) => void,
): Promise<number> {
  const of = await rows.count(table);
  let [looked, sealed] = [0, 0];
  for (let found = await rows.rowsAfter(table, null, CHUNK); found.length > 0; ) {
    const changes = changesOf(found, table, renewal, unreadable);
    if (changes.length > 0) await rows.replace(table, changes);
    looked += found.length;
    sealed += changes.length;
    onProgress(table.name, looked, of, sealed);
    found = await rows.rowsAfter(table, found.at(-1) ?? null, CHUNK);
  }
  return sealed;
}

function changesOf(
  found: readonly KeptRow[],
  table: SealedTable,
  renewal: Renewal,
  unreadable: string[],
): readonly Change[] {
  const valuesOf = (row: KeptRow): readonly unknown[] => table.sealed.map((name) => row[name]);
  return found.flatMap((before) => {
    try {
      const after = table.renewed(before, renewal);
      return isDeepStrictEqual(valuesOf(after), valuesOf(before)) ? [] : [{ before, after }];
    } catch {
      unreadable.push(`${table.name} ${keyValues(table, before).join('/')}`);
      return [];
    }
  });
}
