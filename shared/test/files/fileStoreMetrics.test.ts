import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDirectoryStore } from '../../src/files/directoryStore.ts';
import { measureStore } from '../../src/files/fileStoreMetrics.ts';
import { scrapeSelf } from '../metrics/scrapeSelf.ts';

test('file store operations are measured by outcome', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-metrics-'));
  const store = measureStore(await openDirectoryStore(join(directory, 'store')));
  const file = { path: join(directory, 'source'), size: 7, sha256: '' };
  await writeFile(file.path, 'content');
  await store.put('some-key', file);
  (await store.open('some-key')).destroy();
  await store.open('no-such-key').catch(() => {});
  await store.put('another-key', { ...file, path: join(directory, 'missing') }).catch(() => {});
  await store.remove('some-key');
  const now = await scrapeSelf();
  const count = (operation: string, outcome: string) =>
    now.value('gradeway_file_store_duration_seconds_count', { operation, outcome });
  expect([count('put', 'done'), count('put', 'failed')]).toEqual([1, 1]);
  expect([count('open', 'done'), count('open', 'missing'), count('open', 'failed')]).toEqual([1, 1, 0]);
  expect([count('remove', 'done'), count('remove', 'failed')]).toEqual([1, 0]);
  await rm(directory, { recursive: true });
});
