import { createSecretKey, randomBytes } from 'node:crypto';
import { createAesCipher } from '../src/aes-cipher.ts';

/*
 * What sealing a message's text costs, and opening it, in microseconds: docs/adr/0015 quotes it.
 *
 * npx tsx scripts/measure-sealing.ts [texts]
 */

const TEXTS = Number(process.argv[2] ?? 100_000);
/** A message of an SMS and a half. */
const text = 'x'.repeat(240);

const cipher = createAesCipher([createSecretKey(randomBytes(32))]);
const sealed = cipher.sealAlike(text, 'message 1/1');

function microsecondsOf(work: (turn: number) => unknown): string {
  for (let turn = 0; turn < TEXTS / 10; turn++) work(turn);
  const start = performance.now();
  for (let turn = 0; turn < TEXTS; turn++) work(turn);
  return (((performance.now() - start) * 1_000) / TEXTS).toFixed(1);
}

console.table({
  'sealed alike (messages, codes, numbers)': microsecondsOf((n) => cipher.sealAlike(text, `message ${n}/1`)),
  'sealed (bodies)': microsecondsOf(() => cipher.seal(text)),
  opened: microsecondsOf(() => cipher.open(sealed)),
});
