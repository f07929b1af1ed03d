import type { IncomingHttpHeaders } from 'node:http';
import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import { requestContext } from '@gradeway/shared/process/requestContext';
import type { Config } from '../config.ts';
import { countFailure, countResponse } from '../forwarding/upstreamMetrics.ts';
import type { UpstreamPool } from '../forwarding/upstreamPool.ts';

export interface AuthResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface AuthClient {
  /** @throws AppError 503 when auth is unreachable, 504 when it does not respond in time */
  post(path: string, headers: IncomingHttpHeaders, body?: Buffer): Promise<AuthResponse>;
}

/**
 * Calls auth and receives complete responses, because the session's cookie depends on them. Does not abort a call when the
 * client disconnects, because auth may already have exchanged the token.
 */
export function createAuthClient(
  { url, prefix, pool }: UpstreamPool,
  { idleTimeout }: Pick<Config, 'idleTimeout'>,
): AuthClient {
  return {
    async post(path, headers, body) {
      const span = requestContext.getStore()?.trace?.forward(url, path, 'POST');
      const traced = span ? { ...headers, traceparent: span.traceparent } : headers;
      // Limits the whole call, including the wait for a connection.
      const signal = AbortSignal.timeout(idleTimeout);
      const sentAt = performance.now();
      let hasResponded = false;
      try {
        const request = {
          path: prefix + path,
          method: 'POST',
          headers: traced,
          body: body ?? null,
          signal,
        } as const;
        const response = await pool.request(request);
        hasResponded = true;
        span?.responded(response.statusCode);
        countResponse('auth', response.statusCode, performance.now() - sentAt);
        const received = Buffer.from(await response.body.arrayBuffer());
        span?.ended();
        return { status: response.statusCode, headers: response.headers, body: received };
      } catch (error) {
        span?.failed(error);
        countFailure('auth', signal.aborted ? 'timeout' : hasResponded ? 'cut' : 'unreachable');
        throw signal.aborted
          ? new AppError('timeout', 'Gateway Timeout', { cause: error })
          : unavailable(error);
      }
    },
  };
}
