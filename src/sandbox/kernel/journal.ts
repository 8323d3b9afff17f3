import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * The sandbox's memory across a restart: last-write-wins values by kind and key. What is put between two commits
 * reaches the file in one line, so that a money movement and the state it belongs to are there both or not at all.
 */
export type Journal = {
  /** `undefined` forgets the key. The value is turned to JSON at the commit, so a changing object may be put early. */
  put(kind: string, key: string | number, value: unknown): void;
  /** Written, but not synced: it survives kill -9, not a power cut. Called before any answer leaves. */
  commit(): void;
  /** What a start found, in the order of the first write. The reader parses the values. */
  entries(kind: string): readonly (readonly [key: string, value: unknown])[];
  close(): void;
};

/** One change: `[kind, key, value]`, or `[kind, key]` where the key is forgotten. A line is a list of them. */
type Change = readonly [kind: string, key: string, value?: unknown];

/** The file has message texts and the webhook secret. */
const OWNER_ONLY = 0o600;
const COMMIT_SIZE_WHEN_COMPACTING = 1000;

/** Without a file nothing is kept. A torn last line (killed while writing) is dropped; any other damage throws. */
export function openJournal(file: string | undefined): Journal {
  if (file === undefined) {
    return { put: () => {}, commit: () => {}, entries: () => [], close: () => {} };
  }
  const found = existsSync(file) ? read(file) : new Map<string, Map<string, unknown>>();
  mkdirSync(dirname(file), { recursive: true });
  compact(file, found);
  const handle = openSync(file, 'a', OWNER_ONLY);
  let pending = new Map<string, Change>();
  let closed = false;

  return {
    put(kind, key, value) {
      const name = String(key);
      pending.set(`${kind}\n${name}`, value === undefined ? [kind, name] : [kind, name, value]);
    },
    commit() {
      // What is still under way when the sandbox stops is as if it had been killed.
      if (closed || pending.size === 0) return;
      const line = Buffer.from(`${JSON.stringify([...pending.values()])}\n`);
      pending = new Map();
      for (let done = 0; done < line.length; ) done += writeSync(handle, line, done);
    },
    entries: (kind) => [...(found.get(kind) ?? [])],
    close() {
      closed = true;
      closeSync(handle);
    },
  };
}

/** A view of `journal` whose kinds cannot meet those of another owner. */
export function scopedJournal(journal: Journal, owner: string): Journal {
  return {
    put: (kind, key, value) => journal.put(`${owner}.${kind}`, key, value),
    commit: () => journal.commit(),
    entries: (kind) => journal.entries(`${owner}.${kind}`),
    close: () => journal.close(),
  };
}

function read(file: string): Map<string, Map<string, unknown>> {
  const lines = readFileSync(file, 'utf8').split('\n');
  // What stands behind the last line end: nothing, or a torn line, whose answer never left.
  lines.pop();
  const found = new Map<string, Map<string, unknown>>();
  lines.forEach((line, at) => {
    for (const [kind, key, value] of parseLine(line, `${file}:${at + 1}`)) {
      const values = found.get(kind) ?? new Map<string, unknown>();
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      found.set(kind, values);
    }
  });
  return found;
}

function parseLine(line: string, place: string): Change[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw new Error(`the sandbox's state file is damaged at ${place}; remove it to start afresh`, { cause });
  }
  if (!Array.isArray(parsed)) throw new Error(`no list of changes at ${place}`);
  return parsed.map((change: unknown): Change => {
    if (!Array.isArray(change)) throw new Error(`no change at ${place}`);
    const [kind, key, value]: unknown[] = change;
    if (typeof kind !== 'string' || typeof key !== 'string') throw new Error(`no kind and key at ${place}`);
    return value === undefined ? [kind, key] : [kind, key, value];
  });
}

/** Written beside and renamed over: a kill in between leaves the old file whole. */
function compact(file: string, found: Map<string, Map<string, unknown>>): void {
  const changes = [...found].flatMap(([kind, values]) =>
    [...values].map(([key, value]) => [kind, key, value]),
  );
  const lines: string[] = [];
  for (let at = 0; at < changes.length; at += COMMIT_SIZE_WHEN_COMPACTING) {
    lines.push(`${JSON.stringify(changes.slice(at, at + COMMIT_SIZE_WHEN_COMPACTING))}\n`);
  }
  writeFileSync(`${file}.new`, lines.join(''), { mode: OWNER_ONLY });
  renameSync(`${file}.new`, file);
}
