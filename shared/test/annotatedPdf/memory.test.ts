import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mark } from '@gradeway/shared/annotatedPdf/mark';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { plainPdf } from '@gradeway/test/plainPdf';
import { childrenOf, memoryOf } from '@gradeway/test/processUsage';
import { boundsOf, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { expect, test } from 'vitest';
import { renderAnnotatedPdf } from '../../src/annotatedPdf/rendering/renderAnnotatedPdf.ts';
import { startPdfium } from '../../src/files/pdfium.ts';
import { openRenderer } from './openRenderer.ts';

const mebibyte = 1024 * 1024;
const mark = (fileId: number, page: number): Mark => ({
  fileId,
  page,
  kind: 'text',
  rect: [100, 400, 200, 60],
  text: `Seite ${page}: 做得很好`,
});

test('300 pages of scans are annotated within the smallest limit, although together they exceed it', async () => {
  const renderer = await openRenderer({ memoryMb: 64 });
  const scans = () => Array.from({ length: 60 }, () => ({ scan: randomBytes(500 * 500) }));
  const files: LibraryFile[] = [];
  for (let count = 0; count < 5; count += 1) files.push(await renderer.file(plainPdf(scans())));
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(64 * mebibyte);
  const before = memoryOf(process.pid).now;
  let [peakOfChild, peak] = [0, 0];
  const sampling = setInterval(() => {
    for (const child of childrenOf(process.pid, 'renderWorker'))
      peakOfChild = Math.max(peakOfChild, memoryOf(child).peak);
    peak = Math.max(peak, memoryOf(process.pid).now);
  }, 20);
  const marks = files.flatMap(({ id }) => Array.from({ length: 60 }, (_, index) => mark(id, index + 1)));
  const path = await renderer.render(files, marks).finally(() => clearInterval(sampling));
  for (const page of [1, 60, 61, 300])
    expect(await textOf(path, page)).toContain(`Seite ${((page - 1) % 60) + 1}`);
  // Node, PDFium, HarfBuzz and the fonts, without the scans.
  expect(peakOfChild / mebibyte).toBeGreaterThan(0);
  expect(peakOfChild / mebibyte).toBeLessThan(240);
  expect((peak - before) / mebibyte).toBeLessThan(100);
  await renderer.close();
});

test('files are merged one after another', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-merge-'));
  const files = await Promise.all(
    Array.from({ length: 7 }, async (_, index) => {
      const path = join(directory, `${index}.pdf`);
      const content = `BT /F1 24 Tf 100 700 Td (File ${index}) Tj ET`;
      await writeFile(path, plainPdf([{ scan: randomBytes(mebibyte) }, { content }]));
      return { id: index, path };
    }),
  );
  const output = join(directory, 'output');
  const outputs = { merged: openSync(output, 'w+'), document: openSync(join(directory, 'document'), 'w+') };
  // Together, the files would exceed the limit.
  const pdfium = await startPdfium(48 * mebibyte);
  const task = { files, marks: [mark(0, 2), mark(6, 2)], summary: null };
  const size = await renderAnnotatedPdf(pdfium, task, outputs);
  for (const descriptor of Object.values(outputs)) closeSync(descriptor);
  await truncate(output, size);
  for (const [index] of files.entries()) {
    const text = await textOf(output, 2 * index + 2);
    expect(text).toContain(`File ${index}`);
    expect(text.includes('Seite')).toBe(index === 0 || index === 6);
  }
  await expect(textOf(output, 15)).rejects.toThrow('page');
  // The result contains the scan of the last file.
  const scan = await renderWithPoppler(output, 13, 20);
  expect(boundsOf(scan, ([red]) => red < 200)).toBeDefined();
  await rm(directory, { recursive: true });
});
