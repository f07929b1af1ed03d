import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readRecords } from '../src/import/oneroster/csvRecords.ts';

async function read(...pieces: (string | Buffer)[]) {
  const source = Readable.from(pieces.map((each) => Buffer.from(each)));
  const records = [];
  for await (const record of readRecords(source, 'users.csv', ['a'])) records.push(record);
  return records;
}

const refusal = (...pieces: (string | Buffer)[]) =>
  read(...pieces).then(
    () => undefined,
    (error) => error.fields,
  );

describe('a CSV file', () => {
  test('may have a byte order mark, CRLF, empty lines, quoted commas, quotes and line breaks', async () => {
    expect(await read('\uFEFFa,b\r\n1,"x\r\ny"\r\n\r\n2,"q""u,"\r\n3,')).toEqual([
      { line: 2, cells: { a: '1', b: 'x\r\ny' }, isUneven: false },
      { line: 5, cells: { a: '2', b: 'q"u,' }, isUneven: false },
      { line: 6, cells: { a: '3', b: '' }, isUneven: false },
    ]);
  });

  test.each(['\n', '\r', '\r\n'])('counts its lines where they end with %j', async (end) => {
    const lines = (await read(['a', `"1${end}1"`, '2', `"3${end}${end}3"`, '4'].join(end))).map(
      ({ line }) => line,
    );
    expect(lines).toEqual([2, 4, 5, 8]);
  });

  test('may arrive in pieces that part a letter', async () => {
    expect(await read('a\nZo', Buffer.from([0xc3]), Buffer.from([0xab, 10]))).toMatchObject([
      { cells: { a: 'Zoë' } },
    ]);
  });

  test('says of a row that it has too few or too many cells', async () => {
    expect((await read('a,b\n1\n1,2,3\n1,2\n')).map(({ isUneven }) => isUneven)).toEqual([true, true, false]);
  });

  test.each([
    ['no UTF-8', ['a\nZo', Buffer.from([0xeb, 10])], 'users.csv', 'The file must be UTF-8.'],
    [
      'UTF-8 that ends inside a letter',
      ['a\nZo', Buffer.from([0xc3])],
      'users.csv',
      'The file must be UTF-8.',
    ],
    ['a quote inside a cell', ['a\n1\nx"y\n'], 'users.csv:3', 'A quotation mark stands inside a cell'],
    ['text after a closing quote', ['a\n"x"y\n'], 'users.csv:2', 'After a closing quotation mark'],
    ['a row without end', ['a\n', 'x'.repeat(100_000)], 'users.csv:2', 'The row is too long.'],
    ['a column twice', ['a,a\n'], 'users.csv', 'The first line names the column a twice.'],
    ['a column too few', ['b\n'], 'users.csv', 'it lacks a.'],
    ['nothing', [''], 'users.csv', 'The file is empty'],
  ])('is refused with %s, at its place', async (_what, pieces, place, sentence) => {
    expect(await refusal(...pieces)).toEqual({ [place]: [expect.stringContaining(sentence)] });
  });
});
