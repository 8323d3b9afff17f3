import { describe, expect, it } from 'vitest';
import { corpus, tally } from './corpus.ts';

const heldOut = corpus.filter((message) => message.heldOut);

describe('the corpus', () => {
  it('is large, of many languages, and honest about messages without a code', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(320);
    expect(new Set(corpus.map(({ language }) => language)).size).toBeGreaterThanOrEqual(20);
    expect(corpus.filter(({ code }) => code === null).length).toBeGreaterThanOrEqual(corpus.length / 4);
    expect(heldOut.length).toBeGreaterThanOrEqual(corpus.length / 4);
    expect(new Set(corpus.map(({ message }) => message)).size).toBe(corpus.length);
  });

  it('is read', () => {
    const whole = tally(corpus);
    expect(whole.hitRate).toBeGreaterThanOrEqual(0.97);
    expect(whole.falseAlarmRate).toBeLessThanOrEqual(0.02);
  });

  // Lower, as nothing was tuned to these: they show what unseen messages may expect.
  it('is read where it was held out', () => {
    const unseen = tally(heldOut);
    expect(unseen.hitRate).toBeGreaterThanOrEqual(0.93);
    expect(unseen.falseAlarmRate).toBeLessThanOrEqual(0.05);
  });
});
