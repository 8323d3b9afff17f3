import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configReference } from '../../src/config/settings.ts';
import { parseConfig } from '../../src/config.ts';

const names = configReference.flatMap(({ name }) => [name, `${name}_FILE`]);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    ',',
    '0',
    '1',
    '-1',
    '99999999999999999999',
    'on',
    'off',
    'production',
    '[',
    '::',
    'a/b',
  ),
  fc.webUrl({ withQueryParameters: true }),
  fc.ipV6(),
  fc.ipV4().map((address) => `${address}/24`),
  fc.base64String(),
  fc
    .tuple(fc.constantFrom('file:', 'postgres://', 'redis://', 'https://', 'http://'), fc.string())
    .map((parts) => parts.join('')),
);
const environments = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), texts, { maxKeys: 12 });

describe('any environment', () => {
  it('is answered, never thrown at, and each problem names a variable and a way out', () => {
    fc.assert(
      fc.property(environments, fc.constantFrom('serve', 'store'), (env, need) => {
        const parsed = parseConfig(env, throws, need);
        const told = [...parsed.warnings, ...(parsed.kind === 'invalid' ? parsed.problems : [])];
        for (const { name, wrong, remedy } of told) {
          expect(name).not.toBe('');
          expect(wrong).not.toBe('');
          expect(remedy).toMatch(/[.?]$/);
        }
        if (parsed.kind === 'invalid') expect(parsed.problems).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps what it was given to itself when it complains, secrets above all', () => {
    const canary = 'CANARY7f3a';
    const spoiled = fc.tuple(texts, texts).map(([before, after]) => `${before}${canary}${after}`);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), spoiled, { maxKeys: 8 }),
        fc.boolean(),
        (env, readable) => {
          const parsed = parseConfig(env, readable ? () => canary : throws);
          const told = [...parsed.warnings, ...(parsed.kind === 'invalid' ? parsed.problems : [])];
          expect(JSON.stringify(told)).not.toContain(canary);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function throws(path: string): string {
  throw Object.assign(new Error(`cannot open ${path}`), { code: 'EACCES' });
}
