import { join } from 'node:path';
import { openStore } from '../../../src/app/open-store.ts';
import { parseConfig } from '../../../src/config.ts';
import { parseKeyId } from '../../../src/domain/ids.ts';
import { rupiah } from '../../../src/domain/money.ts';
import { hashGatewayKey, makeGatewayKey } from '../../../src/server/gateway-key.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { systemRandom } from '../../../src/system-random.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { caller, must } from '../../support/values.ts';
import type { TestGateway } from './gateway.ts';

/** A buyer's key whose caller may spend so much: what `keys create --budget` makes. */
export async function makeBudgetKey(gateway: TestGateway, name: string, limit: number): Promise<string> {
  const parsed = parseConfig({ DATABASE_URL: `file:${join(gateway.directory, 'switchboard.db')}` });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const wake = createInProcessWake(() => undefined);
  const store = await openStore(parsed.config, { clock: systemClock, random: systemRandom, wake });
  const key = makeGatewayKey();
  await store.keys.create(
    {
      id: must(parseKeyId(`key_${systemRandom.token()}`)),
      hash: hashGatewayKey(key),
      caller: caller(name),
      scopes: ['BUYER'],
      expiresAt: null,
      budgetLimit: rupiah(limit),
    },
    { kind: 'shell' },
  );
  await store.close();
  return key;
}
