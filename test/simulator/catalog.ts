import type { Product } from '../../src/domain/catalog/product.ts';
import type { CatalogReader } from '../../src/flows/catalog/read-catalog.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** A catalog of these tiers alone, which now and then cannot be read. To read the real one would be most of a history's work. */
export function simulatedCatalog(
  clock: Clock,
  random: SeededRandom,
  tiers: readonly Product[],
): CatalogReader {
  const unread = () => Promise.reject(new Error('no history asks for this'));
  return {
    async offer() {
      await clock.sleep(random.integer(0, 300));
      if (random.chance(0.03)) return { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: null };
      return { kind: 'read', value: { tiers, lastKnown: tiers[0] ?? null }, readAt: clock.now() };
    },
    whole: unread,
    countries: unread,
    services: unread,
    operators: unread,
    exchangeRate: unread,
    shown: () => null,
    lastKnown: () => null,
  };
}
