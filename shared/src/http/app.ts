import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { measureRequest } from '../metrics/httpRequests.ts';
import type { Health } from '../process/health.ts';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import { traceRequests } from '../tracing/httpSpans.ts';
import { inThisTrace } from '../tracing/span.ts';
import { handleErrors, handleUnknownPath } from './errors.ts';

interface Dependencies {
  log: Logger;
  health: Health;
  /** How long a request may take, from its headers to its answer, in milliseconds. */
  requestTimeoutMs: number;
}

/**
 * An application of the house: request id, log line, health, then `routes` in their order, then 404 and the
 * one place that answers errors. It does not listen.
 */
export function createHttpApp(
  { log, health, requestTimeoutMs }: Dependencies,
  routes: RequestHandler[],
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(openContext(requestTimeoutMs));
  app.get('/livez', health.livez);
  app.get('/readyz', health.readyz);
  app.use(
    traceRequests({ fromOurs: true }),
    logRequest(log),
    measureRequest,
    closeWhenDraining(health),
    noStore,
  );
  for (const route of routes) app.use(route);
  app.use(handleUnknownPath);
  app.use(handleErrors(log));
  return app;
}

const receivedAtOf = new WeakMap<Response, number>();

/**
 * When the request's headers arrived: the moment of receipt that deadlines are judged by (D25), in
 * milliseconds since the epoch.
 */
export function receivedAt(res: Response): number {
  return receivedAtOf.get(res) ?? Date.now();
}

const requestIdShape = /^[0-9a-f-]{36}$/;

// The gateway makes the id and lets no other through; one of another shape did not come from it.
function openContext(timeoutMs: number): RequestHandler {
  return (req, res, next) => {
    const now = Date.now();
    const sent = req.get('x-request-id') ?? '';
    const requestId = requestIdShape.test(sent) ? sent : randomUUID();
    receivedAtOf.set(res, now);
    res.set('X-Request-Id', requestId);
    requestContext.run({ requestId, deadline: now + timeoutMs }, next);
  };
}

// The path is logged without its query: signatures of file URLs are in there.
function logRequest(log: Logger): RequestHandler {
  return (req, res, next) => {
    const context = requestContext.getStore();
    const writeLine = () => {
      const line = {
        method: req.method,
        path: req.originalUrl.split('?', 1)[0],
        status: res.statusCode,
        ms: Date.now() - receivedAt(res),
        request_id: context?.requestId,
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      log.info(line, 'request');
    };
    res.once('close', inThisTrace(writeLine));
    next();
  };
}

function closeWhenDraining(health: Health): RequestHandler {
  return (_req, res, next) => {
    if (health.draining) res.set('Connection', 'close');
    next();
  };
}

const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
