import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import { sendErrorAfterBody } from '@gradeway/shared/http/errors';
import type { Logger } from '@gradeway/shared/process/logger';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { recordFault } from '@gradeway/shared/tracing/httpSpans';
import type { Response } from 'express';
import type { Config } from '../config.ts';
import { requestTimeout } from '../limits/receiveBody.ts';
import { receiveRefused } from '../limits/receiveRefused.ts';
import type { Forwarding } from './forwarding.ts';
import { setOwnHeaders } from './responseHeaders.ts';
import { countFailure } from './upstreamMetrics.ts';

/** The service did not respond in time. */
export class UpstreamTimeout extends Error {
  constructor() {
    super('the service did not respond in time');
  }
}

/** The client sent its upload too slowly. */
export class SlowClient extends Error {
  constructor() {
    super('the client sent its upload too slowly');
  }
}

/** The grading API has one response for services that are unreachable or too slow. */
const gradersPath = '/api/v3/grading/';

export type RespondToFailure = (error: Error, forwarding: Forwarding) => void;

/**
 * Responds to requests that could not be forwarded: 503 when the service is unreachable, 504 when it is silent or too slow (503 in
 * the grading API), 408 when the client is too slow. If the response has already begun, closes the connection.
 */
export function createFailureResponder(log: Logger, config: Config): RespondToFailure {
  const receive = receiveRefused(config);

  function respond(error: Error, forwarding: Forwarding): void {
    const { req, res, route } = forwarding;
    recordFailure(error, forwarding);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (error instanceof SlowClient) {
      send(res, requestTimeout());
      return;
    }
    log.warn({ err: error, upstream: route.upstream, route: route.path }, 'service did not respond');
    const timedOut = error instanceof UpstreamTimeout;
    if (!req.socket.destroyed) countFailure(route.upstream, timedOut ? 'timeout' : 'unreachable');
    const isTimeout = timedOut && !route.path.startsWith(gradersPath);
    send(res, isTimeout ? new AppError('timeout', 'Gateway Timeout') : unavailable(error));
  }

  function send(res: Response, error: AppError): void {
    setOwnHeaders(res);
    sendErrorAfterBody(res, error, receive);
  }

  return (error, forwarding) => requestContext.run(forwarding.context, respond, error, forwarding);
}

// A client that disconnects also aborts the request to the service; that is not a failure.
function recordFailure(error: Error, { res, span }: Forwarding): void {
  if (!res.socket || res.socket.destroyed) return;
  span?.failed(error);
  if (!(error instanceof SlowClient)) recordFault(res, error);
}
