import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ReadBuffers, readAhead } from '../../src/files/readAhead.ts';
import { collectGarbage, collectRecentGarbage } from '../../src/v8/collectGarbage.ts';
import { writeZip, type ZipEntry } from '../../src/zip/writeZip.ts';

/*
 * Collections of the young generation must free the buffers of a transfer (decision 25). A generator function that is created for
 * each file or download would keep it until the next collection of the whole heap.
 */

const megabyte = 1024 * 1024;

/** The maximum size of buffers that remain after `repeat` and a collection of the young generation, in 30 runs. */
async function mostLeftAfter(repeat: () => Promise<void>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let run = 0; run < 30; run += 1) {
    await repeat();
    collectRecentGarbage();
    // V8 frees buffers in another thread.
    await sleep(5);
    collectRecentGarbage();
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  return most;
}

test('the buffers of a download are freed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-garbage-'));
  const path = join(directory, 'file');
  await writeFile(path, Buffer.alloc(2 * megabyte));
  const most = await mostLeftAfter(async () => {
    const chunks = readAhead(await open(path), new ReadBuffers(), new AbortController().signal);
    for await (const bytes of chunks) expect(bytes.length).toBeGreaterThan(0);
  });
  await rm(directory, { recursive: true });
  expect(most).toBeLessThan(4 * megabyte);
});

test('the content of an archive is freed', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (let file = 0; file < 10; file += 1) {
      const bytes = Buffer.alloc(200_000);
      yield { path: `${file}.pdf`, modifiedAt: new Date(), content: () => [bytes] };
    }
  }
  const most = await mostLeftAfter(async () => {
    for await (const bytes of writeZip(entries())) expect(bytes.length).toBeGreaterThan(0);
  });
  expect(most).toBeLessThan(4 * megabyte);
});
