import { expect, it } from 'vitest';
import type { Presence } from '../../../src/ports/store/presence.ts';
import { presence } from '../../../src/workers/presence.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** Instances over one store, each with the share that it was given last, of eight places. */
function fleet() {
  const here = new Set<string>();
  const store: { presence: Presence } = {
    presence: {
      async beat(token) {
        here.add(token);
        return here.size;
      },
      async leave(token) {
        here.delete(token);
      },
    },
  };
  const shares: number[] = [];
  const start = () => {
    const at = shares.push(8) - 1;
    const worker = presence(
      { store, random: seededRandom(at) },
      {
        shareAmong(instances) {
          shares[at] = Math.max(1, Math.floor(8 / instances));
        },
      },
    );
    return { beat: () => worker.round(new AbortController().signal), leave: async () => worker.leave?.() };
  };
  return { shares, start };
}

it('an instance alone has all places', async () => {
  const { shares, start } = fleet();
  await start().beat();
  expect(shares).toEqual([8]);
});

it('a newcomer takes one place until the others know of it, and then its share', async () => {
  const { shares, start } = fleet();
  const one = start();
  await one.beat();
  const two = start();
  await two.beat();
  expect(shares).toEqual([8, 1]);
  await one.beat();
  await two.beat();
  expect(shares).toEqual([4, 4]);
});

it('one that is started again after a stop has all places at once', async () => {
  const { shares, start } = fleet();
  const one = start();
  await one.beat();
  await one.leave();
  await start().beat();
  expect(shares).toEqual([8, 8]);
});
