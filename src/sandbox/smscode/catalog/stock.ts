import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Catalog } from './generate.ts';

/** What changes about a tier while the sandbox runs. Tiers are named by their number in the catalog. */
export type Stock = {
  /** Numbers to be had now; 0 where the tier is switched off. */
  available(at: number): number;
  /** Whole rupiah for one order now. */
  price(at: number): number;
  take(at: number, quantity: number): void;
  /** By hand, for a test: the stock is then what `available` says, less what is sold from now on. */
  set(at: number, changes: TierChanges): void;
};

export type TierChanges = z.output<typeof tierChangesSchema>;

const MOST_RUPIAH = 1_000_000_000;

export const tierChangesSchema = z.strictObject({
  price: z.int().min(0).max(MOST_RUPIAH).optional(),
  available: z.int().min(0).max(1_000_000).optional(),
  active: z.boolean().optional(),
});

const soldSchema = z.object({ count: z.int(), since: z.number() });

/** A supplier puts one number of a tier back on offer in this time. */
const REPLENISH_MS = 60_000;

export function createStock(catalog: Catalog, clock: Clock, journal: Journal): Stock {
  const sold = new Map<number, z.output<typeof soldSchema>>();
  const changed = new Map<number, TierChanges>();
  for (const [at, value] of journal.entries('sold')) sold.set(Number(at), soldSchema.parse(value));
  for (const [at, value] of journal.entries('tier')) changed.set(Number(at), tierChangesSchema.parse(value));

  function missing(at: number): number {
    const entry = sold.get(at);
    if (entry === undefined) return 0;
    const back = Math.floor((clock.now() - entry.since) / REPLENISH_MS);
    if (back < entry.count) return entry.count - Math.max(0, back);
    sold.delete(at);
    return 0;
  }

  return {
    available(at) {
      const own = changed.get(at);
      if (own?.active === false) return 0;
      return Math.max(0, (own?.available ?? catalog.columns.stock[at] ?? 0) - missing(at));
    },
    price: (at) => changed.get(at)?.price ?? catalog.columns.price[at] ?? 0,
    take(at, quantity) {
      const entry = { count: missing(at) + quantity, since: clock.now() };
      sold.set(at, entry);
      journal.put('sold', at, entry);
    },
    set(at, changes) {
      const own = { ...changed.get(at), ...changes };
      changed.set(at, own);
      journal.put('tier', at, own);
      if (changes.available === undefined) return;
      sold.delete(at);
      journal.put('sold', at, undefined);
    },
  };
}
