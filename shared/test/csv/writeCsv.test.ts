import { expect, test } from 'vitest';
import { escapeCsvFormula } from '../../src/csv/writeCsv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '\t=1',
  '\r=1',
  '\n=1',
  '\tx',
  '  =1',
  '\u00a0=1',
])('%j is escaped, because a spreadsheet would run it as a formula', (text) => {
  expect(escapeCsvFormula(text)).toBe(`'${text}`);
});

test.each(['', 'Ada', '1-2', 'a=b', 'ada@example.org', ' Ada', "'quoted'", '🦊=x'])(
  '%j stays unchanged',
  (text) => {
    expect(escapeCsvFormula(text)).toBe(text);
  },
);
