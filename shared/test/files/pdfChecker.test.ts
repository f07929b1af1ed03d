import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import { createPdfChecker, createPdfSlots, type PdfChecker } from '@gradeway/shared/files/pdfChecker';
import { createLogger } from '@gradeway/shared/process/logger';
import { exponentialPageTree, heavyPdfs, pdfBombs } from '@gradeway/test/pdfBombs';
import { childrenOf } from '@gradeway/test/processUsage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
const limits = { cpuSeconds: 8, memoryMb: 192 };
let directory: string;
let checker: PdfChecker;
let good: Buffer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-pdf-'));
  checker = createPdfChecker({ log, ...limits, slots: createPdfSlots(1) });
  good = await makePdf('A good one');
});
afterAll(async () => {
  await checker.close();
  await rm(directory, { recursive: true });
});

let files = 0;
async function check(content: Buffer | string, with_ = checker) {
  files += 1;
  const path = join(directory, String(files));
  await writeFile(path, content);
  return with_.check(path, 1);
}

// A page tree whose only node is its own child.
const circular = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[2 0 R]>>endobj
trailer<</Root 1 0 R>>`;

describe('a PDF', () => {
  test('a PDF is valid', async () => {
    expect(await check(good)).toBe('valid');
  });

  test('a PDF of 20 MB is valid', async () => {
    expect(await check(await makePdf('Scan', { bytes: 20_000_000 }))).toBe('valid');
  });

  test('a PDF is valid if its header starts within the first 1,024 bytes (D28)', async () => {
    expect(await check(Buffer.concat([Buffer.alloc(900, ' '), good]))).toBe('valid');
  });

  test('a PDF that requires a password is encrypted', async () => {
    expect(await check(await makePdf('Secret', { password: 'hidden' }))).toBe('encrypted');
  });

  test.each<[string, () => Buffer | string]>([
    ['empty', () => ''],
    ['an image', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['an HTML page', () => '<html><body>%PDF-1.7 is what I am not</body></html>'],
    ['only a header', () => '%PDF-1.7\n'],
    [
      'a header followed by noise',
      () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 0xa7)]),
    ],
    ['the first half of a PDF', () => good.subarray(0, good.length / 2)],
    ['a PDF whose header is too late', () => Buffer.concat([Buffer.alloc(1100, ' '), good])],
    ['a PDF with a cyclic page tree', () => circular],
    [
      'a PDF without pages',
      () =>
        '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>',
    ],
  ])('a file is invalid when it is %s', async (_, content) => {
    expect(await check(content())).toBe('invalid');
  });
});

test('a file that takes too long is invalid, and the next one is checked as usual', async () => {
  const hasty = createPdfChecker({ log, ...limits, cpuSeconds: 1, slots: createPdfSlots(1) });
  expect(await check(exponentialPageTree(), hasty)).toBe('invalid');
  expect(await check(good, hasty)).toBe('valid');
  await hasty.close();
});

test.each(heavyPdfs)('a PDF with a $kind is valid', async ({ make }) => {
  expect(await check(make())).toBe('valid');
});

test('a file that takes too much memory is invalid, and the next one is checked as usual', async () => {
  const narrow = createPdfChecker({ log, ...limits, memoryMb: 64, slots: createPdfSlots(1) });
  const [bomb] = pdfBombs;
  expect(await check(bomb?.make() ?? '', narrow)).toBe('invalid');
  expect(await check(good, narrow)).toBe('valid');
  await narrow.close();
});

test('a file that cannot be read makes the check unavailable (D45)', async () => {
  await expect(checker.check(join(directory, 'gone'), 1)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a closed checker is unavailable and reports no file as invalid', async () => {
  const closing = createPdfChecker({ log, ...limits, slots: createPdfSlots(1) });
  await closing.close();
  await expect(check(good, closing)).rejects.toMatchObject({ code: 'unavailable' });
});

test('the limits of a check do not include the wait for a worker', async () => {
  const narrow = createPdfChecker({ log, ...limits, slots: createPdfSlots(1) });
  const verdicts = await Promise.all(Array.from({ length: 30 }, () => check(good, narrow)));
  expect(new Set(verdicts)).toEqual(new Set(['valid']));
  await narrow.close();
});

test('a check waits for another process, and does not block the event loop', async () => {
  const processes = () => childrenOf(process.pid, 'pdfWorker');
  const others = processes();
  const own = createPdfChecker({ log, ...limits, slots: createPdfSlots(1) });
  await check(good, own);
  const [worker = 0] = processes().filter((pid) => !others.includes(pid));
  expect(worker).toBeGreaterThan(0);
  process.kill(worker, 'SIGSTOP');
  let isDone = false;
  const checked = check(good, own).finally(() => {
    isDone = true;
  });
  // This delay is deliberate: it is longer than any check of this file. A timer fires only while the event loop runs.
  await sleep(300);
  expect(isDone).toBe(false);
  process.kill(worker, 'SIGCONT');
  expect(await checked).toBe('valid');
  await own.close();
});
