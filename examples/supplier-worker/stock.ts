import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Goods on the disk: a file a kind, a line a piece, and a ledger of what was promised to which order. */
export interface Stock {
  /**
   * The lines that are this order's, made up to `count` as far as there are any. Promised once, a piece is nobody else's:
   * the ledger is on the disk before anything is delivered, so that a crash in between sells no piece twice.
   */
  promise(order: string, kind: string, count: number): string[];
}

interface Promised {
  readonly order: string;
  readonly line: string;
}

/** `directory` holds stock/KIND.txt, to which lines may be added at any time, and the ledger promised.jsonl. */
export function openStock(directory: string): Stock {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'promised.jsonl');
  const ledger = linesOf(file).map(promisedOf);
  const taken = new Set(ledger.map(({ line }) => fold(line)));

  return {
    promise(order, kind, count) {
      const own = ledger.filter((promised) => promised.order === order).map(({ line }) => line);
      const fresh: string[] = [];
      for (const line of linesOf(join(directory, 'stock', `${kind}.txt`))) {
        if (own.length + fresh.length >= count) break;
        if (taken.has(fold(line))) continue;
        taken.add(fold(line));
        fresh.push(line);
      }
      const promised = fresh.map((line) => ({ order, line }));
      append(file, promised);
      ledger.push(...promised);
      return [...own, ...fresh];
    },
  };
}

/** Two lines that differ in letter case alone are one piece: the supplier API would drop the second. */
function fold(line: string): string {
  return line.toLowerCase();
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function promisedOf(text: string): Promised {
  const parsed: unknown = JSON.parse(text);
  const isPromised = parsed instanceof Object && 'order' in parsed && 'line' in parsed;
  if (!isPromised || typeof parsed.order !== 'string' || typeof parsed.line !== 'string') {
    throw new Error('promised.jsonl holds something else than promises');
  }
  return { order: parsed.order, line: parsed.line };
}

function append(file: string, promised: readonly Promised[]): void {
  if (promised.length === 0) return;
  const handle = openSync(file, 'a', 0o600);
  try {
    appendFileSync(handle, promised.map((one) => `${JSON.stringify(one)}\n`).join(''));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
