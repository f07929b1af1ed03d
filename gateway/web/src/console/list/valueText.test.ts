import { expect, test } from 'vitest';
import { valueText } from './valueText.ts';

const translation = {
  t: (english: string) => english,
  formatTime: (time: string | Date) => `the time ${time}`,
};

test.each([
  [true, 'yes'],
  [false, 'no'],
  [0, '0'],
  ['Ada', 'Ada'],
  ['2026-12-01T18:00:00.000Z', 'the time 2026-12-01T18:00:00.000Z'],
  [['*'], '["*"]'],
  ['', null],
  [null, null],
  [undefined, null],
])('%j is shown as %j', (value, text) => {
  expect(valueText(value, translation)).toBe(text);
});
