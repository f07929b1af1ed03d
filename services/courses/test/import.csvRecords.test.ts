import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readCsvRecords } from '../src/import/oneroster/csvRecords.ts';

async function read(...chunks: (string | Buffer)[]) {
  const source = Readable.from(chunks.map((each) => Buffer.from(each)));
  const records = [];
  for await (const record of readCsvRecords(source, 'users.csv', ['a'])) records.push(record);
  return records;
}

const errorsOf = (...chunks: (string | Buffer)[]) =>
  read(...chunks).then(
    () => undefined,
    (error) => error.fields,
  );

describe('CSV files', () => {
  test('a CSV file may contain a byte order mark, CRLF, empty lines, quoted commas, quotes and line breaks', async () => {
    expect(await read('\uFEFFa,b\r\n1,"x\r\ny"\r\n\r\n2,"q""u,"\r\n3,')).toEqual([
      { line: 2, cells: { a: '1', b: 'x\r\ny' }, hasExtraCells: false },
      { line: 5, cells: { a: '2', b: 'q"u,' }, hasExtraCells: false },
      { line: 6, cells: { a: '3', b: '' }, hasExtraCells: false },
    ]);
  });

  test.each(['\n', '\r', '\r\n'])('line numbers are correct with %j as the line break', async (end) => {
    const lines = (await read(['a', `"1${end}1"`, '2', `"3${end}${end}3"`, '4'].join(end))).map(
      ({ line }) => line,
    );
    expect(lines).toEqual([2, 4, 5, 8]);
  });

  test('a multi-byte character of a CSV file may be split across chunks', async () => {
    expect(await read('a\nZo', Buffer.from([0xc3]), Buffer.from([0xab, 10]))).toMatchObject([
      { cells: { a: 'Zoë' } },
    ]);
  });

  test('cells missing at the end of a row are empty, and empty cells beyond the header are ignored (D56)', async () => {
    expect(await read('a,b,c\n1\n1,2,3,, \n')).toEqual([
      { line: 2, cells: { a: '1', b: '', c: '' }, hasExtraCells: false },
      { line: 3, cells: { a: '1', b: '2', c: '3' }, hasExtraCells: false },
    ]);
  });

  test('rows of only commas are skipped, and the lines after them keep their numbers', async () => {
    expect((await read(',\r\na,b\r\n,,\r\n" \r\n",\r\n1,2\r\n')).map(({ line }) => line)).toEqual([6]);
  });

  test('rows with more cells than the header are marked', async () => {
    expect((await read('a,b\n1,2,3\n1,2\n')).map(({ hasExtraCells }) => hasExtraCells)).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    [
      'an encoding other than UTF-8',
      ['a\nZo', Buffer.from([0xeb, 10])],
      'users.csv',
      'The file must be UTF-8.',
    ],
    [
      'an incomplete character at the end',
      ['a\nZo', Buffer.from([0xc3])],
      'users.csv',
      'The file must be UTF-8.',
    ],
    ['a quote inside a cell', ['a\n1\nx"y\n'], 'users.csv:3', 'A cell contains a quotation mark'],
    ['text after a closing quote', ['a\n"x"y\n'], 'users.csv:2', 'After a closing quotation mark'],
    [
      'a quotation mark that is never closed',
      ['a\r\n"1\r\n1"\r\n\r\n"x\r\ny\r\n'],
      'users.csv:5',
      'never closed',
    ],
    [
      'a malformed row after line breaks in cells',
      ['a\r\n"1\r\n1"\r\nx"y\r\n'],
      'users.csv:4',
      'contains a quot',
    ],
    ['a row that is too long', ['a\n', 'x'.repeat(100_000)], 'users.csv:2', 'The row is too long.'],
    ['a duplicate column', ['a,a\n'], 'users.csv', 'The first line names the column a twice.'],
    ['a missing column', ['b\n'], 'users.csv', 'it lacks a.'],
    ['no content', [''], 'users.csv', 'The file is empty'],
  ])('a CSV file with %s is rejected with its line', async (_what, chunks, place, message) => {
    expect(await errorsOf(...chunks)).toEqual({ [place]: [expect.stringContaining(message)] });
  });
});
