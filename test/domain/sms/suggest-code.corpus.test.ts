import { describe, expect, it } from 'vitest';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';
import { corpus, tally } from './corpus.ts';

// All of them held out, and so left as they are. Rates alone would not notice a message that is lost for another.
const READ_WRONGLY = [
  'Hey! Punch in 55120 on the tablet at the desk to get checked in.',
  'RAHASIA! Kode transaksi Rp1.250.000 kartu xxxx4410: 318042. Hubungi 1500123 bila bukan Anda.',
  'Код товара 4418203 снова в наличии, цена 1290 р',
  '90412: usalo entro 5 minuti per completare la registrazione.',
  'বিকল্প পিন: 71904। পিন কাউকে বলবেন না।',
  'Sinu kinnituskood on 75103',
];

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

  it('is read message by message, but for those that are known', () => {
    const wrong = corpus.filter(({ message, code }) => suggestCode(message) !== code);
    expect(wrong.map(({ message }) => message)).toEqual(READ_WRONGLY);
  });

  // Lower, as nothing was tuned to these: they show what unseen messages may expect.
  it('is read where it was held out', () => {
    const unseen = tally(heldOut);
    expect(unseen.hitRate).toBeGreaterThanOrEqual(0.93);
    expect(unseen.falseAlarmRate).toBeLessThanOrEqual(0.05);
  });
});
