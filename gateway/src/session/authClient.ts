import type { IncomingHttpHeaders } from 'node:http';
import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { Pool } from 'undici';
import type { Config } from '../config.ts';
import { idleConnectionMs } from '../forwarding.ts';
import { countAnswer, countFailure } from '../upstreamMetrics.ts';

export interface AuthAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface AuthClient {
  /** @throws AppError 503 when auth is unreachable, 504 when it does not answer in time */
  post(path: string, headers: IncomingHttpHeaders, body?: Buffer): Promise<AuthAnswer>;
  close(): void;
}

// As many as for forwarded requests (proxy.ts).
const connections = 1_024;

/**
 * Calls auth and receives its answers whole, because the cookie of a session depends on them. A call is not aborted when the
 * client disconnects: auth may have exchanged the token already.
 */
export function createAuthClient(config: Pick<Config, 'authUrl' | 'idleTimeout'>): AuthClient {
  const { origin, pathname } = new URL(config.authUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    connectTimeout: config.idleTimeout,
    allowH2: false,
    // The signal limits the whole call, with the wait for a connection.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async post(path, headers, body) {
      const span = requestContext.getStore()?.trace?.forward(config.authUrl, path, 'POST');
      const traced = span ? { ...headers, traceparent: span.traceparent } : headers;
      const signal = AbortSignal.timeout(config.idleTimeout);
      const sentAt = performance.now();
      let isAnswered = false;
      try {
        const request = {
          path: prefix + path,
          method: 'POST',
          headers: traced,
          body: body ?? null,
          signal,
        } as const;
        const answer = await pool.request(request);
        isAnswered = true;
        span?.answered(answer.statusCode);
        countAnswer('auth', answer.statusCode, performance.now() - sentAt);
        const received = Buffer.from(await answer.body.arrayBuffer());
        span?.ended();
        return { status: answer.statusCode, headers: answer.headers, body: received };
      } catch (error) {
        span?.failed(error);
        countFailure('auth', signal.aborted ? 'timeout' : isAnswered ? 'cut' : 'unreachable');
        throw signal.aborted
          ? new AppError('timeout', 'Gateway Timeout', { cause: error })
          : unavailable(error);
      }
    },
    close: () => void pool.destroy(),
  };
}
