import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareUploadDirectory } from '../../src/files/uploadDirectory.ts';
import { createLogger } from '../../src/process/logger.ts';

test('files of a crashed process are deleted, uploads in progress are not', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-uploads-'));
  const writeOld = async (name: string, minutes: number) => {
    const time = new Date(Date.now() - minutes * 60_000);
    await writeFile(join(directory, name), 'partial PDF');
    await utimes(join(directory, name), time, time);
  };
  await writeOld('abandoned', 61);
  await writeOld('in progress', 59);
  const stop = await prepareUploadDirectory(directory, createLogger('test', 'silent'));
  expect(await readdir(directory)).toEqual(['in progress']);
  await stop();
  await rm(directory, { recursive: true });
});

test('a missing directory is created', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gradeway-uploads-'));
  const stop = await prepareUploadDirectory(join(parent, 'a', 'b'), createLogger('test', 'silent'));
  expect(await readdir(join(parent, 'a', 'b'))).toEqual([]);
  await stop();
  await rm(parent, { recursive: true });
});
