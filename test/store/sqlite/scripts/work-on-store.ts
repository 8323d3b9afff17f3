import { createInterface } from 'node:readline';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import { systemClock } from '../../../../src/system-clock.ts';
import { systemRandom } from '../../../../src/system-random.ts';
import { testCipher } from '../../../conformance/support/cipher.ts';
import { attemptId, byAlice, draft, smsEntry } from '../../../conformance/support/values.ts';
import { fakeWake } from '../../../conformance/support/world.ts';

// A process on a store of another: says that it is ready, opens it when told, then does what each line of its input says.
const file = process.argv[2] ?? '';
const name = process.argv[3] ?? '';
const say = (text: string) => process.stdout.write(`${text}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
say('ready');
await lines.next();
const store = await openSqliteStore({
  file,
  clock: systemClock,
  random: systemRandom,
  wake: fakeWake(),
  cipher: testCipher,
});
say('open');
for await (const line of lines) {
  switch (line) {
    case 'prepare': {
      const { kind } = await store.attempts.prepare(draft(`of-${name}`), 'token', byAlice);
      say(kind);
      break;
    }
    // Every process tries for the same two hundred attempts.
    case 'race': {
      let taken = 0;
      for (let index = 0; index < 200; index++) {
        const result = await store.attempts.take(attemptId(`attempt-${index}`), name);
        if (result.kind === 'claimed') taken += 1;
      }
      say(String(taken));
      break;
    }
    case 'insert': {
      const all = Array.from({ length: 300 }, (_, index) => index);
      for (const index of all) await store.inbox.insert(smsEntry(Number(name), index));
      say('inserted');
      break;
    }
    case 'close':
      await store.close();
      process.exit(0);
  }
}
