import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareUploadDirectory } from '../../src/files/uploadDirectory.ts';
import { createLogger } from '../../src/process/logger.ts';

test('what a killed process left is removed, what is just arriving is not', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-arrivals-'));
  const leave = async (name: string, minutes: number) => {
    const time = new Date(Date.now() - minutes * 60_000);
    await writeFile(join(directory, name), 'half a PDF');
    await utimes(join(directory, name), time, time);
  };
  await leave('abandoned', 61);
  await leave('arriving', 59);
  const stop = await prepareUploadDirectory(directory, createLogger('test', 'silent'));
  expect(await readdir(directory)).toEqual(['arriving']);
  stop();
  await rm(directory, { recursive: true });
});

test('the directory is made when it is not there', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gradeway-arrivals-'));
  const stop = await prepareUploadDirectory(join(parent, 'a', 'b'), createLogger('test', 'silent'));
  expect(await readdir(join(parent, 'a', 'b'))).toEqual([]);
  stop();
  await rm(parent, { recursive: true });
});
