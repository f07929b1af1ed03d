import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  createS3Client,
  isPermanent,
  type S3Connection,
  type S3Limits,
} from '@gradeway/shared/files/s3Client';
import type { Logger } from '@gradeway/shared/process/logger';

/** Objects of any size in a bucket. Repeats failed requests; each has a time limit. */
export interface ObjectBucket {
  /** The object appears when it is complete; if `content` fails, not at all. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  has(key: string): Promise<boolean>;
  /** After a lost connection, continues where the download ended. */
  get(key: string): AsyncGenerator<Uint8Array>;
  keys(prefix: string): AsyncGenerator<string>;
  /** The names directly below a prefix that ends with `/`, in ascending order. */
  folders(prefix: string): Promise<string[]>;
  /** The size of all objects with a prefix, in bytes. */
  size(prefix: string): Promise<number>;
  remove(key: string): Promise<void>;
  close(): void;
}

/** For commands that run for hours. */
export const patient: S3Limits = { maxAttempts: 6, attemptMs: 60_000, silenceMs: 60_000 };
// At most 10,000 parts: 80 GiB per object. An upload holds up to three parts in memory.
const partBytes = 8 * 1024 * 1024;

export function openObjectBucket(
  bucket: string,
  connection: S3Connection,
  limits: S3Limits,
  log: Logger,
): ObjectBucket {
  const client = createS3Client(connection, limits, log);
  const objectOf = (key: string) => ({ Bucket: bucket, Key: key });
  const pages = (prefix: string, delimiter?: string) =>
    paginateListObjectsV2(
      { client },
      { Bucket: bucket, Prefix: prefix, ...(delimiter && { Delimiter: delimiter }) },
    );

  async function* get(key: string): AsyncGenerator<Uint8Array> {
    let [offset, attempt] = [0, 1];
    let version: string | undefined;
    for (;;)
      try {
        const range = offset > 0 ? { Range: `bytes=${offset}-`, IfMatch: version } : {};
        const { Body: body, ETag: etag } = await client.send(
          new GetObjectCommand({ ...objectOf(key), ...range }),
        );
        version = etag;
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          offset += chunk.length;
          attempt = 1;
          yield chunk;
        }
        return;
      } catch (error) {
        if (attempt === limits.maxAttempts || isPermanent(error))
          throw new Error(`${key} cannot be read from the bucket ${bucket}: ${(error as Error).message}`, {
            cause: error,
          });
        await sleep(100 * 2 ** attempt);
        attempt += 1;
      }
  }

  return {
    get,
    async put(key, content) {
      const params = { ...objectOf(key), Body: Readable.from(content, { objectMode: false }) };
      await new Upload({ client, params, partSize: partBytes, queueSize: 2 }).done();
    },
    async has(key) {
      try {
        await client.send(new HeadObjectCommand(objectOf(key)));
        return true;
      } catch (error) {
        if (error instanceof NotFound) return false;
        throw error;
      }
    },
    async *keys(prefix) {
      for await (const { Contents: objects = [] } of pages(prefix))
        for (const { Key: key } of objects) if (key !== undefined) yield key;
    },
    async folders(prefix) {
      const found: string[] = [];
      for await (const { CommonPrefixes: folders = [] } of pages(prefix, '/'))
        for (const { Prefix: folder = '' } of folders) found.push(folder.slice(prefix.length, -1));
      return found.toSorted();
    },
    async size(prefix) {
      let bytes = 0;
      for await (const { Contents: objects = [] } of pages(prefix))
        for (const { Size: size = 0 } of objects) bytes += size;
      return bytes;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)));
    },
    close: () => client.destroy(),
  };
}
