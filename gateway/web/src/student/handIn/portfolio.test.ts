import { deflateSync } from 'node:zlib';
import { plainPdf } from '@gradeway/test/plainPdf';
import { samplePdf } from '@gradeway/test/samplePdf';
import { expect, test } from 'vitest';
import { isPortfolio } from './portfolio.ts';

const blobOf = (...parts: (string | Uint8Array)[]) => new Blob(parts as BlobPart[]);

test('a portfolio is recognized even if its catalog is compressed', async () => {
  expect(await isPortfolio(blobOf(await samplePdf('portfolio')))).toBe(true);
  const objects = deflateSync(Buffer.from('1 0 <</Type/Catalog/Collection<</View/D>>>>'));
  const file = blobOf('<</Type/ObjStm/Filter/FlateDecode>>\nstream\n', objects, '\nendstream');
  expect(await isPortfolio(file)).toBe(true);
});

test('an ordinary PDF is not a portfolio', async () => {
  expect(await isPortfolio(blobOf(plainPdf([{}], { catalog: '/CollectionItem<<>>' })))).toBe(false);
  expect(await isPortfolio(blobOf('no PDF'))).toBe(false);
});
