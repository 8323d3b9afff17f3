import { expect, it } from 'vitest';
import { distanceIn } from '../../../src/domain/sms/distance.ts';

it.each([
  ['within a sentence', 'code is 4829', 12],
  ['over an exclamation mark', 'code!4829', 9 + 60],
  ['over a question mark', 'code?4829', 9 + 60],
  ['over a semicolon', 'code;4829', 9 + 60],
  ['over a Chinese full stop', '码。4829', 6 + 60],
  ['over an Arabic question mark', 'رمز؟4829', 8 + 60],
  ['over a danda', 'कोड।4829', 8 + 60],
  ['over a full stop before a space', 'code. 4829', 10 + 60],
  ['over a full stop and a new line', 'code.\n4829', 10 + 60 + 10],
  ['over a full stop at the end', 'code.', 5 + 60],
  ['over a point within a number', '4.829', 5],
  ['over a comma and a colon', 'code,: 4829', 11],
  ['over a new line', 'code\n4829', 9 + 10],
])('%s', (_, text, length) => {
  expect(distanceIn(text)(0, text.length)).toBe(length);
});

it('is of the characters between two places, and 0 from a place to itself', () => {
  const distance = distanceIn('code. Now 4829');
  expect(distance(6, 10)).toBe(4);
  expect(distance(4, 5)).toBe(61);
  expect(distance(0, 1)).toBe(1);
  expect(distance(5, 14)).toBe(9);
  expect(distance(10, 10)).toBe(0);
});

it('past the end is the end', () => {
  expect(distanceIn('code')(0, 99)).toBe(4);
  expect(distanceIn('code')(99, 4)).toBe(0);
});
