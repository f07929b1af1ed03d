import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PdfOpening, preparePdfEngine } from '../../src/files/pdfEngine.ts';

const maxBytes = 64 * 1024 * 1024;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-engine-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function writeFiles(): Promise<[path: string, opening: PdfOpening][]> {
  const good = await makePdf('A good one');
  const contents: [Buffer, PdfOpening][] = [
    [good, 'valid'],
    [await makePdf('Secret', { password: 'hidden' }), 'encrypted'],
    [good.subarray(0, good.length / 2), 'invalid'],
    [await makePdf('A scan', { bytes: 1_000_000 }), 'valid'],
    [Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000, 0xa7)]), 'invalid'],
    [await makePdf('Long', { lines: Array.from({ length: 2_000 }, (_, line) => `line ${line}`) }), 'valid'],
  ];
  return Promise.all(
    contents.map(async ([content, opening], index) => {
      const path = join(directory, `${index}.pdf`);
      await writeFile(path, content);
      return [path, opening] as [string, PdfOpening];
    }),
  );
}

test('a reset engine opens every file like a new one', async () => {
  const files = await writeFiles();
  const engine = await preparePdfEngine(maxBytes);
  const before = engine.memoryBytes();
  for (const [path, opening] of [...files, ...files.toReversed()]) {
    expect(engine.open(path)).toBe(opening);
    expect(engine.reset()).toBe(true);
  }
  expect(engine.memoryBytes()).toBe(before);
});

test('an engine that could not read a file can be reset', async () => {
  const engine = await preparePdfEngine(maxBytes);
  expect(() => engine.open(join(directory, 'gone'))).toThrow('ENOENT');
  expect(engine.reset()).toBe(true);
});
