import { expect, test } from 'vitest';
import { buildCatalog, type Catalog } from '../../src/domain/catalog/catalog.ts';
import { instant } from '../../src/domain/time.ts';
import { createCatalogAnswers } from '../../src/server/catalog-answers.ts';

const catalogAt = (milliseconds: number): Catalog => buildCatalog([], [], [], instant(milliseconds));
const question = Buffer.from('{"query":"{ catalogProducts { asOf } }"}');

test('an answer is kept from the second time on, for the very same question', () => {
  const catalog = catalogAt(0);
  const answers = createCatalogAnswers(() => catalog);
  answers.keep(question, 'first', catalog);
  expect(answers.find(question)).toBeNull();
  answers.keep(question, 'second', catalog);
  expect(answers.find(question)?.toString()).toBe('second');
  expect(answers.find(Buffer.from(`${question} `))).toBeNull();
});

test('it is not given out of a catalog that is shown no more, nor kept of one', () => {
  const [old, fresh] = [catalogAt(0), catalogAt(1)];
  let shown: Catalog | null = old;
  const answers = createCatalogAnswers(() => shown);
  for (let time = 0; time < 2; time++) answers.keep(question, 'old', old);
  shown = null;
  expect(answers.find(question)).toBeNull();
  shown = fresh;
  expect(answers.find(question)).toBeNull();
  answers.keep(question, 'old', old);
  expect(answers.find(question)).toBeNull();
  answers.keep(question, 'fresh', fresh);
  expect(answers.find(question)?.toString()).toBe('fresh');
});

test('what is kept stays within 8 MiB, and long questions are left out', () => {
  const catalog = catalogAt(0);
  const answers = createCatalogAnswers(() => catalog);
  const text = 'x'.repeat(1024 * 1024);
  const questions = Array.from({ length: 20 }, (_, at) => Buffer.from(`question ${at}`));
  for (const asked of questions) for (let time = 0; time < 2; time++) answers.keep(asked, text, catalog);
  const kept = questions.filter((asked) => answers.find(asked) !== null);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(8);

  const long = Buffer.alloc(5_000, 'q');
  for (let time = 0; time < 3; time++) answers.keep(long, 'answer', catalog);
  expect(answers.find(long)).toBeNull();
});
