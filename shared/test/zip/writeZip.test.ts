import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { countArchived, readArchive } from '@gradeway/test/readArchive';
import { expect, test } from 'vitest';
import { writeZip, type ZipEntry, zipLength } from '../../src/zip/writeZip.ts';

const modifiedAt = new Date('2026-03-01T10:00:00Z');
const chunked = (content: Buffer) => [content.subarray(0, 1_000), content.subarray(1_000)];
const stored = (path: string, content: Buffer): ZipEntry => ({
  path,
  modifiedAt,
  content: () => chunked(content),
});
const known = (path: string, content: Buffer) => ({
  ...stored(path, content),
  known: { size: content.length, crc32: crc32(content) },
});

async function bytesOf(entries: Iterable<ZipEntry>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('an archive contains stored and compressed entries, of known and of unknown size', async () => {
  const [random, text] = [randomBytes(5_000), Buffer.from('text '.repeat(2_000))];
  const bytes = await bytesOf([
    known('a/known.pdf', random),
    stored('unknown 宿題.pdf', random),
    { ...stored('text.csv', text), isCompressed: true },
    known('empty.pdf', Buffer.alloc(0)),
  ]);
  expect(await readArchive(bytes)).toEqual([
    { name: 'a/known.pdf', content: random, stored: true },
    { name: 'unknown 宿題.pdf', content: random, stored: true },
    { name: 'text.csv', content: text, stored: false },
    { name: 'empty.pdf', content: Buffer.alloc(0), stored: true },
  ]);
  expect(bytes.length).toBeLessThan(12_000);
});

test('an archive may have more entries than the original ZIP format allows', async () => {
  const entries = Array.from({ length: 70_000 }, (_, index) => known(`${index}`, Buffer.alloc(0)));
  const bytes = await bytesOf(entries);
  expect(zipLength(entries)).toBe(bytes.length);
  expect(await countArchived(bytes)).toBe(70_000);
});

test('the length of an archive of known entries is known in advance', async () => {
  const entries = [known('a.pdf', randomBytes(3_000)), known('Übung.pdf', randomBytes(10))];
  expect(zipLength(entries)).toBe((await bytesOf(entries)).length);
});

test.each([
  ['shorter', 2_999],
  ['longer', 3_001],
  ['of other bytes', 3_000],
])('content that is %s than its record is an error', async (_, length) => {
  const { known: record } = known('a.pdf', randomBytes(3_000));
  await expect(bytesOf([{ ...known('a.pdf', randomBytes(length)), known: record }])).rejects.toThrow();
});

test('an error of the content ends the archive, even within a compressed entry', async () => {
  async function* failing() {
    yield Buffer.alloc(10);
    throw new Error('the store is on fire');
  }
  for (const isCompressed of [true, false]) {
    const entry = { path: 'a.pdf', modifiedAt, content: failing, isCompressed };
    await expect(bytesOf([entry])).rejects.toThrow('the store is on fire');
  }
});

test('an entry is opened after the ones before it were read, and closed when the reader stops', async () => {
  const log: string[] = [];
  const entry = (name: string): ZipEntry => ({
    path: name,
    modifiedAt,
    async *content() {
      log.push(`${name} opened`);
      try {
        yield Buffer.from('first');
        yield Buffer.from('second');
      } finally {
        log.push(`${name} closed`);
      }
    },
  });
  for await (const chunk of writeZip([entry('a'), entry('b'), entry('c')]))
    if (chunk.equals(Buffer.from('first')) && log.length === 3) break;
  expect(log).toEqual(['a opened', 'a closed', 'b opened', 'b closed']);
});

test.runIf(existsSync('/usr/bin/unzip'))('unzip finds no fault in an archive', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-zip-'));
  const file = join(directory, 'archive.zip');
  const content = randomBytes(4_000);
  const text = { ...stored('text.csv', content), isCompressed: true };
  await writeFile(file, await bytesOf([known('a.pdf', content), stored('b.pdf', content), text]));
  const { stdout } = await promisify(execFile)('/usr/bin/unzip', ['-t', file]);
  await rm(directory, { recursive: true });
  expect(stdout).toContain('No errors detected');
});
