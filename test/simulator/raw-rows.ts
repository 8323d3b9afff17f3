import { testCipher } from '../conformance/support/cipher.ts';

export type RawRow = Readonly<Record<string, unknown>>;

/** A row as text. What is sealed is opened, as each sealing is another one. */
export function textOfRow(table: string, row: RawRow): string {
  const values = Object.entries(row).map(([name, value]) => [name, plain(value, `${table}.${name}`)]);
  return `${table} ${JSON.stringify(values)}`;
}

function plain(value: unknown, column: string): unknown {
  if (!Buffer.isBuffer(value)) return value;
  return column === 'supplier_deliveries.body' ? testCipher.open(value) : value.toString('base64');
}
