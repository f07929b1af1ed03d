import { scannedPdf } from '@gradeway/local/demo/scannedPdf';
import { expect, test } from 'vitest';

const page = { lines: [{ text: 'Let a ∈ G.', at: [20, 36] as const }] };
const count = (pdf: Buffer, text: RegExp) => pdf.toString('latin1').match(text)?.length ?? 0;

test('each page of a scan is a picture without text', async () => {
  const pdf = await scannedPdf([page, page, page], 1);
  expect(count(pdf, /\/Type \/Page\b/g)).toBe(3);
  expect(count(pdf, /\/Subtype \/Image\b/g)).toBe(3);
  expect(count(pdf, /\/Type \/Font\b/g)).toBe(0);
});

test('a sideways page is stored sideways, so that the reader has to rotate it', async () => {
  const pdf = await scannedPdf([page, { ...page, isSideways: true }], 1);
  expect(count(pdf, /\/Rotate 90\b/g)).toBe(1);
  expect(count(pdf, /\/MediaBox \[0 0 841.89 595.28\]/g)).toBe(1);
});

test('no two pages are identical: each has its own grain', async () => {
  const pictures = (pdf: Buffer) => pdf.toString('latin1').match(/\/Length (\d{4,})/g) ?? [];
  const [first, second] = pictures(await scannedPdf([page, page], 1));
  expect(first).not.toBe(second);
});
