import { openPostgresStore } from '../../../../src/store/postgres/open.ts';
import { systemClock } from '../../../../src/system-clock.ts';
import { systemRandom } from '../../../../src/system-random.ts';
import { createPostgresWake } from '../../../../src/wake/postgres.ts';
import { testCipher } from '../../../conformance/support/cipher.ts';
import type { WholeStore } from '../../../conformance/support/database.ts';
import { type FakeWake, fakeWake } from '../../../conformance/support/world.ts';
import { silentLog } from './silent-log.ts';

export interface Instance {
  readonly store: WholeStore;
  readonly wake: FakeWake;
  close(): Promise<void>;
}

/** An instance as it runs: by the server's clock, with its own connections. `wakeUrl`: where it listens, if elsewhere. */
export async function openInstance(url: string, poolSize = 4, wakeUrl = url): Promise<Instance> {
  const local = fakeWake();
  const environs = { clock: systemClock, random: systemRandom, log: silentLog };
  const wake = await createPostgresWake({ url: wakeUrl, local, ...environs });
  const store = await openPostgresStore({
    url,
    wake,
    random: systemRandom,
    cipher: testCipher,
    timers: systemClock,
    poolSize,
  });
  return {
    store,
    wake: local,
    async close() {
      await store.close();
      await wake.close();
    },
  };
}
