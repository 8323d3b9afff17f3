import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from '../../src/domain/catalog/product.ts';
import { rupiah } from '../../src/domain/money.ts';
import { type Catalog, catalogOf, type Tier } from '../../src/sandbox/smscode/catalog/generate.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { createInProcessWake } from '../../src/wake/in-process.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { SANDBOX_SEED } from '../support/sandbox-names.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { aProduct, catalogProductId, must, productId } from '../support/values.ts';

/** What every history begins with. */
export interface Template {
  /** A copy of a database that is up to date, in a directory of its own. */
  copy(): { readonly directory: string; readonly file: string };
  /** What jobs order, the cheapest tier first. */
  readonly tiers: readonly Product[];
}

/** Memory where the system has some as a directory: each commit waits for the disk. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let made: Promise<Template> | null = null;

/** Made once for all histories of a process: to migrate takes longer than many a history. */
export function template(): Promise<Template> {
  made ??= makeTemplate();
  return made;
}

async function makeTemplate(): Promise<Template> {
  const file = join(mkdtempSync(join(parent, 'simulator-')), 'template.db');
  const store = await openSqliteStore({
    file,
    clock: createFakeClock(),
    random: seededRandom(0),
    wake: createInProcessWake(() => undefined),
    cipher: testCipher,
  });
  await store.close();
  return {
    tiers: listedTiers(catalogOf(SANDBOX_SEED)),
    copy() {
      const directory = mkdtempSync(join(parent, 'simulator-'));
      copyFileSync(file, join(directory, 'store.db'));
      return { directory, file: join(directory, 'store.db') };
    },
  };
}

/** Telegram in Indonesia, there with every seed, as the list tells it without being asked for an operator. */
function listedTiers(catalog: Catalog): readonly Product[] {
  const all = Array.from({ length: catalog.size }, (_, at) => catalog.tier(at));
  const one = must(all.find(({ country, service }) => country.id === 6 && service.id === 1));
  return catalog
    .tiersOf(one.catalogProductId)
    .map((at) => catalog.tier(at))
    .filter(({ operator }) => operator === null)
    .map(toProduct)
    .sort((a, b) => a.price - b.price);
}

function toProduct({ id, catalogProductId: stable, price, stock }: Tier): Product {
  return aProduct({
    id: productId(id),
    catalogProductId: catalogProductId(stable),
    price: rupiah(price),
    available: stock,
  });
}
