import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the worker has taken on, in a file: a restart goes on where it was. */
export interface Todo {
  /** The claimCursor of the last claim seen; null before the first. */
  readonly after: string | null;
  readonly orders: readonly string[];
  add(order: string, claimCursor: string | null): void;
  done(order: string): void;
}

export function openTodo(file: string): Todo {
  mkdirSync(dirname(file), { recursive: true });
  let { after, orders } = existsSync(file)
    ? kept(JSON.parse(readFileSync(file, 'utf8')))
    : { after: null, orders: new Set<string>() };

  const save = (): void => {
    // Written beside and put in place: a crash leaves the old file or the new one, never half of one.
    writeFileSync(`${file}.new`, JSON.stringify({ after, orders: [...orders] }));
    renameSync(`${file}.new`, file);
  };
  return {
    get after() {
      return after;
    },
    get orders() {
      return [...orders];
    },
    add(order, claimCursor) {
      orders.add(order);
      after = claimCursor ?? after;
      save();
    },
    done(order) {
      orders.delete(order);
      save();
    },
  };
}

function kept(value: unknown): { after: string | null; orders: Set<string> } {
  if (!(value instanceof Object && 'after' in value && 'orders' in value && Array.isArray(value.orders))) {
    throw new Error('the list of what is to do cannot be read');
  }
  return {
    after: typeof value.after === 'string' ? value.after : null,
    orders: new Set(value.orders.map(String)),
  };
}
