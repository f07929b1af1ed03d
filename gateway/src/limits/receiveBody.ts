import { AppError } from '@gradeway/shared/errors/appError';
import type { Request } from 'express';
import type { PendingBodies } from './pendingBodies.ts';

/** Max size of a body that is received completely (D53), except on routes with their own limit. */
export const jsonBytes = 256 * 1024;

interface Options {
  pending: PendingBodies;
  /** Key of the client. */
  client: string;
  timeoutMs: number;
  maxBytes: number | undefined;
}

/**
 * Receives a body completely before the request is forwarded, so that a slow client does not occupy a connection to a service.
 * Returns undefined for a request without a body.
 * @throws AppError 408 when the body does not arrive in time, 413 when it is too large
 */
export function receiveBody(req: Request, options: Options): Promise<Buffer | undefined> {
  if (!hasBody(req)) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const pending = options.pending.add(options.client, () => fail(requestTimeout()));
    const timer = setTimeout(() => fail(requestTimeout()), options.timeoutMs);

    function read(chunk: Buffer): void {
      size += chunk.length;
      pending.grow(chunk.length);
      if (size > (options.maxBytes ?? jsonBytes)) fail(new AppError('too_large', 'Payload Too Large'));
      else chunks.push(chunk);
    }
    function stop(): void {
      clearTimeout(timer);
      pending.remove();
      req.off('data', read).off('end', end).off('close', cut);
    }
    function end(): void {
      stop();
      resolve(Buffer.concat(chunks, size));
    }
    function fail(error: AppError): void {
      stop();
      reject(error);
      // Discards the rest of the body, for at most one more timeout.
      req.resume();
      const close = setTimeout(() => req.socket.destroy(), options.timeoutMs);
      req.once('close', () => clearTimeout(close));
    }
    function cut(): void {
      stop();
      reject(requestTimeout());
    }

    req.on('data', read).once('end', end).once('close', cut);
  });
}

/** 408: the request did not arrive in time. Closes the connection, because the rest of the request may follow. */
export const requestTimeout = () =>
  new AppError('request_timeout', 'Request Timeout', { headers: { Connection: 'close' } });

/** Whether a request has a body according to its headers (RFC 9112 §6.3). */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
