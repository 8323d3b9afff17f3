import type { z } from 'zod';
import type { Journal } from './journal.ts';
import { parseAs } from './reply.ts';

/** The settings of one side, as POST /_sandbox/settings sees them. */
export type SettingsBook = {
  readonly names: readonly string[];
  read(): Readonly<Record<string, unknown>>;
  /** The message for the developer, or null where these changes are right. Names of another side are not passed in. */
  check(changes: Readonly<Record<string, unknown>>): string | null;
  /** After check. */
  change(changes: Readonly<Record<string, unknown>>): void;
};

/**
 * Settings of a closed shape, kept in the journal. `values` is the one live object: read it at the moment of use.
 * `schema` describes all of them; a change names some.
 */
export function createSettings<S extends z.ZodObject>(
  schema: S,
  defaults: z.output<S>,
  journal: Journal,
): { readonly book: SettingsBook; readonly values: () => z.output<S> } {
  const some = schema.partial().strict();
  const kept = parseAs(some, Object.fromEntries(journal.entries('setting')));
  // A name that a newer version no longer knows spoils the file's settings, not the start.
  let values: z.output<S> = kept.kind === 'ok' ? { ...defaults, ...kept.value } : defaults;

  return {
    values: () => values,
    book: {
      names: Object.keys(schema.shape),
      read: () => ({ ...values }),
      check(changes) {
        const parsed = parseAs(some, changes);
        return parsed.kind === 'ok' ? null : parsed.message;
      },
      change(changes) {
        values = { ...values, ...some.parse(changes) };
        for (const [name, value] of Object.entries(changes)) journal.put('setting', name, value);
      },
    },
  };
}
