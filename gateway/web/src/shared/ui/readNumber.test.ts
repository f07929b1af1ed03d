import { expect, test } from 'vitest';
import { readNumber } from './readNumber.ts';

test.each([
  ['7.5', 7.5],
  [' 7,25 ', 7.25],
  ['12,5', 12.5],
  ['1,234,5', undefined],
  ['-1', -1],
  ['7.', 7],
  ['.5', 0.5],
  ['1.23456', undefined],
  ['', undefined],
  ['1e3', undefined],
  ['abc', undefined],
])('"%s" is read as %s', (text, value) => {
  expect(readNumber(text)).toBe(value);
});
