import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { unavailable } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { remainingTime } from '../process/requestContext.ts';
import { type ByteRange, FileMissingError, type FileStore, type LocalFile, requireKey } from './fileStore.ts';
import { createS3Client, isPermanent, type S3Connection } from './s3Client.ts';

export interface S3Config extends S3Connection {
  bucket: string;
  /** Prefix of every key, so that services can share a bucket. */
  prefix: string;
}

// Time limits of the operations, including their retries.
const putMs = 60_000;
const openMs = 10_000;
const removeMs = 5_000;
const checkMs = 1_500;
// Limit of each attempt at a request without a large body.
const attemptMs = 4_000;
// Max pause within a download. Longer than the gateway lets a client pause.
const silenceMs = 150_000;
const maxAttempts = 3;
const readBytes = 256 * 1024;

/**
 * Opens a file store in a bucket of an S3-compatible object store, which several replicas can share. The SDK finds the
 * credentials: environment variables, web identity or instance role. They must permit getting, putting and deleting
 * objects, and listing the bucket: without permission to list, S3 responds with 403 instead of 404 for a missing
 * object.
 */
export function openS3Store(config: S3Config, log: Logger): FileStore {
  const { bucket, prefix, ...connection } = config;
  const client = createS3Client(connection, { maxAttempts, attemptMs, silenceMs }, log);
  const objectOf = (key: string) => ({ Bucket: bucket, Key: prefix + requireKey(key) });
  let reached = false;

  // The SDK does not retry a request with a stream, because it cannot know that the file can be read again.
  async function putWithRetries(key: string, file: LocalFile, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await putOnce(key, file, signal);
        return;
      } catch (error) {
        if (attempt === maxAttempts || signal.aborted || isPermanent(error)) throw error;
        await sleep(100 * 2 ** attempt * (0.5 + Math.random() / 2), undefined, { signal });
      }
  }

  async function putOnce(key: string, { path, size, sha256 }: LocalFile, signal: AbortSignal): Promise<void> {
    const body = createReadStream(path, { highWaterMark: readBytes });
    const readFailed = new AbortController();
    // The SDK does not handle stream errors: the event would end the process, and the request would hang.
    body.on('error', (error) => readFailed.abort(error));
    const command = new PutObjectCommand({
      ...objectOf(key),
      Body: body,
      ContentLength: size,
      ContentType: 'application/pdf',
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    });
    // This header is part of the signature (AWS SigV4), so stores without checksum support also verify it.
    command.middlewareStack.add(
      (next) => (call) => {
        (call.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
        return next(call);
      },
      { step: 'build', name: 'signContentHash' },
    );
    try {
      const abortSignal = AbortSignal.any([signal, readFailed.signal]);
      await client.send(command, { abortSignal, requestTimeout: putMs });
    } catch (error) {
      throw body.errored ?? error;
    } finally {
      body.destroy();
    }
  }

  async function get(key: string, signal: AbortSignal, range?: ByteRange): Promise<Readable> {
    const rangeHeader = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    const { Body: body } = await client.send(new GetObjectCommand({ ...objectOf(key), ...rangeHeader }), {
      abortSignal: signal,
    });
    if (!body) throw new Error('the store responded without a body');
    return body as Readable;
  }

  async function open(key: string, range?: ByteRange): Promise<Readable> {
    try {
      return await withDeadline(openMs, (signal) => get(key, signal, range));
    } catch (error) {
      const { cause } = error as Error;
      throw cause instanceof NoSuchKey ? new FileMissingError(key, cause) : error;
    }
  }

  return {
    async put(key, file) {
      requireKey(key);
      // Checked here, because a missing local file does not mean that the store is unavailable.
      await access(file.path);
      await withDeadline(putMs, (signal) => putWithRetries(key, file, signal));
    },
    open,
    // The SDK has its own buffers.
    async read(key, _buffers, signal) {
      // The reader of the stream gets its error. Without a listener, an earlier error would end the process.
      return addAbortSignal(signal, await open(key)).on('error', () => {});
    },
    async readSized(key, size, signal) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of addAbortSignal(signal, await open(key)) as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > size) break;
      }
      return Buffer.concat(chunks).subarray(0, size + 1);
    },
    async remove(key) {
      await withDeadline(removeMs, (abortSignal) =>
        client.send(new DeleteObjectCommand(objectOf(key)), { abortSignal }),
      );
    },
    /*
     * Checked until the first success, so that a new replica with a wrong configuration never becomes ready. A later
     * outage affects all replicas; if all became unready, requests that need no file would also fail.
     */
    async check() {
      if (reached) return;
      try {
        await withDeadline(checkMs, (abortSignal) =>
          client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
        );
        reached = true;
      } catch (error) {
        log.warn({ err: (error as Error).cause, bucket }, 'file store unreachable');
        throw error;
      }
    },
    close: () => client.destroy(),
  };
}

/**
 * Aborts `work` after `limitMs`, or at the deadline of the request being served. The limit does not apply to reading a
 * stream that `work` returns.
 * @throws AppError `unavailable` for any error
 */
async function withDeadline<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const expire = () => deadline.abort(new Error('the file store did not respond in time'));
  const timer = setTimeout(expire, remainingTime(limitMs));
  try {
    return await work(deadline.signal);
  } catch (error) {
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}
