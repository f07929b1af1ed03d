import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { unavailable } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { remainingTime } from '../process/requestContext.ts';
import { FileMissingError, type FileStore, type LocalFile, requireKey } from './fileStore.ts';

export interface S3Settings {
  bucket: string;
  /** Unset: Amazon's own, of the region. */
  endpoint: string | undefined;
  region: string;
  /** What every key begins with, so that several services can share a bucket. */
  prefix: string;
  /** The bucket is named in the path and not in the host, as most stores of one's own want it. */
  forcePathStyle: boolean;
}

// How long each call may take in all, its repetitions included.
const putMs = 60_000;
const openMs = 10_000;
const removeMs = 5_000;
const checkMs = 1_500;
// One try of a call that sends and gets next to nothing.
const answerMs = 4_000;
// Longer than the gateway lets a reader pause: it is for a store that falls silent in the middle of a file.
const silenceMs = 150_000;
const tries = 3;
const readBytes = 256 * 1024;

/**
 * A file store in a bucket of anything that speaks S3, for several replicas. Credentials come from where the SDK looks:
 * the usual variables, a web identity, the machine's role. The store itself compares what arrived with the file's
 * SHA-256. It must let us put, get and delete objects and list the bucket, or what is missing looks forbidden.
 */
export function openS3Store(settings: S3Settings, log: Logger): FileStore {
  const { bucket, endpoint, region, prefix, forcePathStyle } = settings;
  const client = new S3Client({
    ...{ region, forcePathStyle, maxAttempts: tries },
    ...(endpoint ? { endpoint } : {}),
    // Other stores do not know the newer sums; the one we send ourselves is older than all of them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would cost a connection for each file.
    expectContinueHeader: false,
    logger: quiet(log),
    requestHandler: {
      connectionTimeout: 1_500,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
      logger: quiet(log),
    },
  });
  const place = (key: string) => ({ Bucket: bucket, Key: prefix + requireKey(key) });
  let reached = false;

  // The SDK repeats no stream, and cannot know that ours can be read again.
  async function put(key: string, file: LocalFile, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await putOnce(key, file, signal);
        return;
      } catch (error) {
        if (attempt === tries || signal.aborted || isRefusal(error)) throw error;
        await sleep(100 * 2 ** attempt * (0.5 + Math.random() / 2), undefined, { signal });
      }
  }

  async function putOnce(key: string, { path, size, sha256 }: LocalFile, signal: AbortSignal): Promise<void> {
    const body = createReadStream(path, { highWaterMark: readBytes });
    const failed = new AbortController();
    // The SDK does not listen: unheard it would end the process, and the request would wait for what never comes.
    body.on('error', (error) => failed.abort(error));
    const command = new PutObjectCommand({
      ...place(key),
      Body: body,
      ContentLength: size,
      ContentType: 'application/pdf',
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    });
    // Part of the signature (AWS SigV4), so stores that know no checksums compare it too.
    command.middlewareStack.add(
      (next) => (call) => {
        (call.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
        return next(call);
      },
      { step: 'build', name: 'signSumOfFile' },
    );
    try {
      const abortSignal = AbortSignal.any([signal, failed.signal]);
      await client.send(command, { abortSignal, requestTimeout: putMs });
    } catch (error) {
      throw body.errored ?? error;
    } finally {
      body.destroy();
    }
  }

  async function get(key: string, signal: AbortSignal, range?: { start: number; end: number }) {
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    const { Body: body } = await client.send(new GetObjectCommand({ ...place(key), ...part }), {
      abortSignal: signal,
    });
    if (!body) throw new Error('the store answered without a body');
    return body as Readable;
  }

  return {
    async put(key, file) {
      requireKey(key);
      // A fault of ours is not the store's.
      await access(file.path);
      await within(putMs, (signal) => put(key, file, signal));
    },
    async open(key, range) {
      try {
        return await within(openMs, (signal) => get(key, signal, range));
      } catch (error) {
        const { cause } = error as Error;
        throw cause instanceof NoSuchKey ? new FileMissingError(key, cause) : error;
      }
    },
    async remove(key) {
      await within(removeMs, (abortSignal) =>
        client.send(new DeleteObjectCommand(place(key)), { abortSignal }),
      );
    },
    /*
     * Asked until it succeeds for the first time: a new replica with wrong settings takes no requests and no older
     * one's place. A store that is away later is away for every replica; if all of them left, so would the lists, which
     * need no file.
     */
    async check() {
      if (reached) return;
      try {
        await within(checkMs, (abortSignal) =>
          client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
        );
        reached = true;
      } catch (error) {
        log.warn({ err: (error as Error).cause, bucket }, 'the file store is not reached');
        throw error;
      }
    },
    close: () => client.destroy(),
  };
}

// It would tell of each call with its parameters, and of each repetition.
const quiet = (log: Logger) => ({
  ...{ trace: () => {}, debug: () => {}, info: () => {} },
  warn: (message: unknown) => log.debug({ sdk: String(message) }, 'file store'),
  error: (message: unknown) => log.warn({ sdk: String(message) }, 'file store'),
});

/**
 * The limit is for the answer to begin: a stream that it brings may take longer.
 * @throws AppError `unavailable` whatever fails
 */
async function within<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  const expire = () => patience.abort(new Error('the file store did not answer in time'));
  const timer = setTimeout(expire, remainingTime(limitMs));
  try {
    return await work(patience.signal);
  } catch (error) {
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

// The store has understood and does not want to; asking again changes nothing. 408 and 429 are "later".
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
