import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDirectoryStore } from '../../src/files/directoryStore.ts';
import { FileMissingError, type FileStore, type LocalFile } from '../../src/files/fileStore.ts';
import { ReadBuffers } from '../../src/files/readAhead.ts';
import { openS3Store } from '../../src/files/s3Store.ts';
import { createLogger } from '../../src/process/logger.ts';

const log = createLogger('test', 'silent');
let directory: string;
let s3: S3Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-store-'));
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.remove();
  await rm(directory, { recursive: true, force: true });
});

const openBucketStore = () => {
  // With S3_ENDPOINT and S3_BUCKET set, the tests run against that server.
  const env = process.env.S3_ENDPOINT ? process.env : s3.env;
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: env.AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: env.AWS_SECRET_ACCESS_KEY,
  });
  const bucket = { bucket: env.S3_BUCKET ?? '', endpoint: env.S3_ENDPOINT, region: 'us-east-1' };
  return openS3Store({ ...bucket, prefix: 'contract/', forcePathStyle: true }, log);
};

async function localFile(bytes: Buffer): Promise<LocalFile> {
  const path = join(directory, randomUUID());
  await writeFile(path, bytes);
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Returns the number of chunks before the stream fails, and the name of the error. */
async function countChunks(reading: AsyncIterable<Buffer>, onChunk = () => {}): Promise<[number, string]> {
  let chunks = 0;
  try {
    for await (const _ of reading) {
      chunks += 1;
      onChunk();
    }
  } catch (error) {
    return [chunks, (error as Error).name];
  }
  return [chunks, 'none'];
}

async function read(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}

describe.each<[string, () => FileStore | Promise<FileStore>]>([
  ['a directory', () => openDirectoryStore(join(directory, 'store'))],
  ['a bucket', openBucketStore],
])('a file store in %s', (_, open) => {
  let store: FileStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const putBytes = async (bytes: Buffer): Promise<string> => {
    const key = randomUUID();
    await store.put(key, await localFile(bytes));
    return key;
  };

  test('a store returns every byte of a file, even one larger than any buffer', async () => {
    for (const size of [0, 1, 70_000, 1_048_576, 6_000_001]) {
      const bytes = randomBytes(size);
      expect((await read(await store.open(await putBytes(bytes)))).equals(bytes)).toBe(true);
    }
  });

  test('a store reads whole files one after another with the same buffers', async () => {
    const buffers = new ReadBuffers();
    for (const size of [1_300_000, 0, 1, 524_288, 70_000]) {
      const bytes = randomBytes(size);
      const key = await putBytes(bytes);
      const copies: Buffer[] = [];
      for await (const chunk of await store.read(key, buffers, new AbortController().signal))
        copies.push(Buffer.from(chunk));
      expect(Buffer.concat(copies).equals(bytes)).toBe(true);
    }
  });

  test('a store reads a file of known size into one buffer, and reads only one byte more if it is longer', async () => {
    const { signal } = new AbortController();
    for (const size of [0, 1, 70_000, 1_048_576]) {
      const bytes = randomBytes(size);
      const key = await putBytes(bytes);
      expect((await store.readSized(key, size, signal)).equals(bytes)).toBe(true);
      expect((await store.readSized(key, size + 10, signal)).equals(bytes)).toBe(true);
    }
    const longer = randomBytes(300_000);
    const key = await putBytes(longer);
    expect((await store.readSized(key, 70_000, signal)).equals(longer.subarray(0, 70_001))).toBe(true);
    await expect(store.readSized(randomUUID(), 1, signal)).rejects.toBeInstanceOf(FileMissingError);
  });

  test('a store stops reading a file of known size when its signal is aborted', async () => {
    const key = await putBytes(randomBytes(1_000_000));
    const disconnected = new AbortController();
    const reading = store.readSized(key, 1_000_000, disconnected.signal);
    disconnected.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a store stops reading a file when its signal is aborted, before or after the first byte', async () => {
    const key = await putBytes(randomBytes(3_000_000));
    const aborted = new AbortController();
    const unread = await store.read(key, new ReadBuffers(), aborted.signal);
    aborted.abort();
    expect(await countChunks(unread)).toEqual([0, 'AbortError']);

    const disconnected = new AbortController();
    const reading = await store.read(key, new ReadBuffers(), disconnected.signal);
    expect(await countChunks(reading, () => disconnected.abort())).toEqual([1, 'AbortError']);
  });

  test.each([
    [0, 1],
    [7, 7],
    [5, 9],
    [99_990, 99_999],
    [0, 99_999],
  ])('a store returns the bytes from %i to %i, inclusive', async (start, end) => {
    const bytes = randomBytes(100_000);
    const part = await read(await store.open(await putBytes(bytes), { start, end }));
    expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test('a store reports a missing file before the first byte', async () => {
    await expect(store.open(randomUUID())).rejects.toBeInstanceOf(FileMissingError);
    await expect(store.open(randomUUID(), { start: 0, end: 1 })).rejects.toBeInstanceOf(FileMissingError);
    const reading = store.read(randomUUID(), new ReadBuffers(), new AbortController().signal);
    await expect(reading).rejects.toBeInstanceOf(FileMissingError);
  });

  test('a store deletes a file and ignores the deletion of a missing one', async () => {
    const key = await putBytes(randomBytes(10));
    await store.remove(key);
    await store.remove(key);
    await store.remove(randomUUID());
    await expect(store.open(key)).rejects.toBeInstanceOf(FileMissingError);
  });

  test('a store accepts the same file under the same key again, for example after a lost response', async () => {
    const bytes = randomBytes(1_000);
    const key = await putBytes(bytes);
    await store.put(key, await localFile(bytes));
    expect((await read(await store.open(key))).equals(bytes)).toBe(true);
  });

  test('a store stores many files concurrently', async () => {
    const files = Array.from({ length: 30 }, () => randomBytes(2_000));
    const keys = await Promise.all(files.map(putBytes));
    const back = await Promise.all(keys.map(async (key) => read(await store.open(key))));
    expect(back.every((bytes, index) => files[index]?.equals(bytes))).toBe(true);
  });

  test('a store rejects a missing local file and stores nothing under its key', async () => {
    const key = randomUUID();
    const gone = { path: join(directory, randomUUID()), size: 10, sha256: 'a'.repeat(64) };
    await expect(store.put(key, gone)).rejects.toThrow();
    await expect(store.open(key)).rejects.toBeInstanceOf(FileMissingError);
  });

  test.each(['../../outside', 'a/b', '.hidden', ''])(
    'a store rejects the key %j, which could address another location',
    async (key) => {
      const file = await localFile(Buffer.from('x'));
      await expect((async () => store.put(key, file))()).rejects.toThrow();
      await expect((async () => store.open(key))()).rejects.toThrow();
      await expect((async () => store.remove(key))()).rejects.toThrow();
    },
  );

  test('a store passes its readiness check', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });

  test('a store shares its files with another replica', async () => {
    const other = await open();
    const bytes = randomBytes(100);
    const key = await putBytes(bytes);
    expect((await read(await other.open(key))).equals(bytes)).toBe(true);
    other.close();
  });
});
