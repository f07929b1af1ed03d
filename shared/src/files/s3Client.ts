import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Logger } from '../process/logger.ts';

export interface S3Connection {
  /** Undefined for Amazon S3. */
  endpoint: string | undefined;
  region: string;
  /** Puts the bucket into the path instead of the host name, which most S3-compatible stores require. */
  forcePathStyle: boolean;
  /** If undefined, the SDK finds them: environment variables, web identity or instance role. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export interface S3Limits {
  maxAttempts: number;
  /** Limit of each attempt until the response starts. */
  attemptMs: number;
  /** Max pause within a download. */
  silenceMs: number;
}

export function createS3Client(
  { endpoint, credentials, ...connection }: S3Connection,
  { maxAttempts, attemptMs, silenceMs }: S3Limits,
  log: Logger,
): S3Client {
  return new S3Client({
    ...connection,
    maxAttempts,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    // Other stores do not support the newer checksums, but they verify the SHA-256 in the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With `Expect: 100-continue`, the SDK opens a new connection for each file.
    expectContinueHeader: false,
    logger: sdkLogger(log),
    requestHandler: {
      connectionTimeout: 1_500,
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
      logger: sdkLogger(log),
    },
  });
}

// The SDK would log each call with its parameters and each retry. Only its errors are worth a warning.
const sdkLogger = (log: Logger) => ({
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: (message: unknown) => log.debug({ sdk: String(message) }, 'file store SDK warning'),
  error: (message: unknown) => log.warn({ sdk: String(message) }, 'file store SDK error'),
});

/** Whether a request would fail again when repeated: it was rejected, except with 408 or 429. */
export function isPermanent(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
