import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { readOrigins, searchOrigins } from './pageOrigins.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const originOf = async (text: string) => (await searchOrigins(bytesOf(text)))?.(1);

test('boxes with the same origin need no parser', async () => {
  expect(await originOf('<< /MediaBox [-10 5.5 595 842] >> … /MediaBox[-10 5.5 300 400]')).toEqual([
    -10, 5.5,
  ]);
  expect(await originOf('%PDF-1.7 stream …')).toEqual([0, 0]);
});

test('boxes with different origins need the parser', async () => {
  expect(await originOf('/MediaBox [0 0 1 1] /MediaBox [5 5 9 9]')).toBeUndefined();
  expect(await originOf('/MediaBox 12 0 R')).toBeUndefined();
});

test('pages in compressed streams are found', async () => {
  const compressed = deflateSync(Buffer.from('5 0 << /Type /Page /MediaBox [20 30 620 830] >>'));
  const file = Buffer.concat([
    bytesOf('<< /Type /ObjStm /Filter /FlateDecode /Length 99 >>\nstream\r\n'),
    compressed,
    bytesOf('\r\nendstream'),
  ]);
  expect((await searchOrigins(file))?.(1)).toEqual([20, 30]);
});

test('a damaged stream does not hide other pages', async () => {
  expect(await originOf('/ObjStm >>\nstream\n\u0001\u0002\nendstream /MediaBox [7 8 90 90]')).toEqual([7, 8]);
});

test('the parser reads each page of a file with compressed objects', async () => {
  const document = await PDFDocument.create();
  document.addPage([200, 300]).setMediaBox(0, 0, 200, 300);
  document.addPage([200, 300]).setMediaBox(-20, 40, 200, 300);
  const bytes = await document.save({ useObjectStreams: true });
  expect(await searchOrigins(bytes)).toBeUndefined();
  const origins = await readOrigins(bytes);
  expect([origins(1), origins(2)]).toEqual([
    [0, 0],
    [-20, 40],
  ]);
});

test('a page that cannot be parsed has its origin at 0,0', async () => {
  expect((await readOrigins(bytesOf('no PDF')))(1)).toEqual([0, 0]);
});
