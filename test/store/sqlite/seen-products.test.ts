import { expect, it } from 'vitest';
import { countingRandom, fakeClock, fakeWake } from '../../conformance/support/world.ts';
import { aProduct, productId } from '../../support/values.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';

it('a store that is closed while it remembers a catalog has not failed: the next reading tells it again', async () => {
  const database = await sqliteDatabase();
  const store = await database.open({ clock: fakeClock(), random: countingRandom(), wake: fakeWake() });
  const remembering = store.seenProducts.remember(
    Array.from({ length: 2_000 }, (_, at) => aProduct({ id: productId(at + 1) })),
  );
  await store.close();
  await expect(remembering).resolves.toBeUndefined();
  await database.drop();
});
