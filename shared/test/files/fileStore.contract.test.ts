import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openDirectoryStore } from '@gradeway/shared/files/directoryStore';
import { FileMissingError, type FileStore, type LocalFile } from '@gradeway/shared/files/fileStore';
import { openS3Store } from '@gradeway/shared/files/s3Store';
import { createLogger } from '@gradeway/shared/process/logger';
import { type S3, startS3 } from '@gradeway/test/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
let directory: string;
let s3: S3;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-store-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.remove();
  await rm(directory, { recursive: true, force: true });
});

const inBucket = () => {
  // Any other server that speaks S3 can be put to the same test: its bucket must exist.
  const env = process.env.S3_ENDPOINT ? process.env : s3.env;
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: env.AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: env.AWS_SECRET_ACCESS_KEY,
  });
  const place = { bucket: env.S3_BUCKET ?? '', endpoint: env.S3_ENDPOINT, region: 'us-east-1' };
  return openS3Store({ ...place, prefix: 'contract/', forcePathStyle: true }, log);
};

async function localFile(bytes: Buffer): Promise<LocalFile> {
  const path = join(directory, randomUUID());
  await writeFile(path, bytes);
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function read(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}

describe.each<[string, () => FileStore | Promise<FileStore>]>([
  ['a directory', () => openDirectoryStore(join(directory, 'store'))],
  ['a bucket', inBucket],
])('a file store in %s', (_, open) => {
  let store: FileStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const keep = async (bytes: Buffer): Promise<string> => {
    const key = randomUUID();
    await store.put(key, await localFile(bytes));
    return key;
  };

  test('gives back every byte of a file, also of one larger than any buffer', async () => {
    for (const size of [1, 70_000, 6_000_001]) {
      const bytes = randomBytes(size);
      expect((await read(await store.open(await keep(bytes)))).equals(bytes)).toBe(true);
    }
  });

  test.each([
    [0, 1],
    [7, 7],
    [5, 9],
    [99_990, 99_999],
    [0, 99_999],
  ])('gives the bytes from %i to %i, both included', async (start, end) => {
    const bytes = randomBytes(100_000);
    const part = await read(await store.open(await keep(bytes), { start, end }));
    expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test('says of a file that it does not have that it is missing, before the first byte', async () => {
    await expect(store.open(randomUUID())).rejects.toBeInstanceOf(FileMissingError);
    await expect(store.open(randomUUID(), { start: 0, end: 1 })).rejects.toBeInstanceOf(FileMissingError);
  });

  test('no longer has what was removed, and removes what is not there without complaint', async () => {
    const key = await keep(randomBytes(10));
    await store.remove(key);
    await store.remove(key);
    await store.remove(randomUUID());
    await expect(store.open(key)).rejects.toBeInstanceOf(FileMissingError);
  });

  test('stores the same file once more under its key, as after an answer that was lost', async () => {
    const bytes = randomBytes(1_000);
    const key = await keep(bytes);
    await store.put(key, await localFile(bytes));
    expect((await read(await store.open(key))).equals(bytes)).toBe(true);
  });

  test('keeps many files at once apart', async () => {
    const files = Array.from({ length: 30 }, () => randomBytes(2_000));
    const keys = await Promise.all(files.map(keep));
    const back = await Promise.all(keys.map(async (key) => read(await store.open(key))));
    expect(back.every((bytes, index) => files[index]?.equals(bytes))).toBe(true);
  });

  test('fails for a local file that is not there, and has nothing under its key', async () => {
    const key = randomUUID();
    const gone = { path: join(directory, randomUUID()), size: 10, sha256: 'a'.repeat(64) };
    await expect(store.put(key, gone)).rejects.toThrow();
    await expect(store.open(key)).rejects.toBeInstanceOf(FileMissingError);
  });

  test.each(['../../outside', 'a/b', '.hidden', ''])('takes no key that leads elsewhere: %j', async (key) => {
    const file = await localFile(Buffer.from('x'));
    await expect((async () => store.put(key, file))()).rejects.toThrow();
    await expect((async () => store.open(key))()).rejects.toThrow();
    await expect((async () => store.remove(key))()).rejects.toThrow();
  });

  test('is reached', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });

  test('has what another replica has stored', async () => {
    const other = await open();
    const bytes = randomBytes(100);
    const key = await keep(bytes);
    expect((await read(await other.open(key))).equals(bytes)).toBe(true);
    other.close();
  });
});
