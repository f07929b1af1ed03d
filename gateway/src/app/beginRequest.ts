import { randomUUID } from 'node:crypto';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import { loggedPath } from '@gradeway/shared/http/loggedPath';
import { recordArrival } from '@gradeway/shared/http/receiptTime';
import { recordRequestId } from '@gradeway/shared/http/requestId';
import { routeOf } from '@gradeway/shared/http/route';
import type { Logger } from '@gradeway/shared/process/logger';
import { type RequestContext, requestContext } from '@gradeway/shared/process/requestContext';
import { beginRequestTrace } from '@gradeway/shared/tracing/requestTrace';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config.ts';
import { hasBody } from '../limits/receiveBody.ts';
import { limitUploadRate } from '../limits/transferRate.ts';
import { assetsRoute } from '../webFiles/serveWebFiles.ts';

/**
 * Gives a request its id, context and trace, and logs it when its response ends. The id is always new: a client that could choose
 * it could mix its log lines with those of another request.
 */
export function beginRequest({ transferTotalTimeout }: Config, log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const trace = beginRequestTrace(req, startedAt);
    const now = Date.now();
    const context: RequestContext = { requestId, deadline: now + transferTotalTimeout, trace };
    const { method, path } = req;
    recordArrival(res, now);
    recordRequestId(res, requestId);
    const writeLine = (endedAt: number) => {
      const line = {
        method,
        path: loggedPath(path),
        status: res.statusCode,
        ms: Math.round(endedAt - startedAt),
        request_id: requestId,
        user_id: context.actor?.userId,
        trace_id: trace?.traceId,
        span_id: trace?.spanId,
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      if (isRoutine(req, res, path)) log.debug(line, 'request');
      else log.info(line, 'request');
    };
    afterResponse(res, () => {
      const endedAt = performance.now();
      trace?.end(req, res, endedAt);
      writeLine(endedAt);
    });
    requestContext.run(context, next);
  };
}

// Probes arrive every few seconds, and each page loads many files.
function isRoutine(req: Request, res: Response, path: string): boolean {
  if (path === '/readyz' || path === '/livez') return true;
  return routeOf(req, res) === assetsRoute && res.statusCode < 400;
}

/** Reads the rest of a refused body, so that the client receives the response, unless it is slower than an upload may be. */
export function discardRest(config: Config): RequestHandler {
  function discard(req: Request): void {
    if (req.complete) return;
    // A forwarded request is left paused when forwarding fails.
    req.resume();
    if (/\bclose\b/i.test(req.headers.connection ?? '')) req.once('end', () => req.socket.end());
    limitUploadRate(req, config, () => req.socket.destroy());
  }
  return (req, res, next) => {
    if (hasBody(req)) res.once('finish', () => discard(req));
    next();
  };
}
