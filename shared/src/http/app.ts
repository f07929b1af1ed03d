import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { Health } from '../process/health.ts';
import type { Logger } from '../process/logger.ts';
import { requestContext } from '../process/requestContext.ts';
import { traceRequests } from '../tracing/httpSpans.ts';
import { bindActiveTrace } from '../tracing/span.ts';
import { afterResponse } from './afterResponse.ts';
import { clientAddress } from './clientAddress.ts';
import { handleErrors, handleUnknownPath } from './errors.ts';
import { loggedPath } from './loggedPath.ts';
import {
  arrivedAt,
  receiptTimeHeader,
  recordArrival,
  recordReceipt,
  verifyReceiptTime,
} from './receiptTime.ts';
import { recordRequestId } from './requestId.ts';
import { measureRequest } from './requestMetrics.ts';

interface Dependencies {
  log: Logger;
  health: Health;
  /** Maximum duration of a request, from its headers to its response, in milliseconds. */
  requestTimeoutMs: number;
  /** The keys shared with the gateway, for a service that compares deadlines with the receipt time (receiptTime.ts). */
  gatewayKeys?: readonly string[];
}

/**
 * Creates a service's Express application: request context, health endpoints, tracing, log, metrics, then `routes` in
 * order, then 404 and the error handler. It does not listen.
 */
export function createHttpApp(
  { log, health, requestTimeoutMs, gatewayKeys = [] }: Dependencies,
  routes: RequestHandler[],
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(runInRequestContext(requestTimeoutMs, gatewayKeys));
  app.get('/livez', health.livez);
  app.get('/readyz', health.readyz);
  app.use(traceRequests, logRequest(log), measureRequest, closeWhenDraining(health), noStore);
  for (const route of routes) app.use(route);
  app.use(handleUnknownPath);
  app.use(handleErrors(log));
  return app;
}

const requestIdShape = /^[0-9a-f-]{36}$/;

// The gateway always sends an id that it generated. An id in another format does not come from the gateway.
function runInRequestContext(timeoutMs: number, gatewayKeys: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const now = Date.now();
    const sent = req.get('x-request-id') ?? '';
    const requestId = requestIdShape.test(sent) ? sent : randomUUID();
    recordArrival(res, now);
    const receipt = { requestId, keys: gatewayKeys, arrivedAt: now };
    const received = verifyReceiptTime(req.get(receiptTimeHeader), receipt);
    if (received !== undefined) recordReceipt(res, received);
    recordRequestId(res, requestId);
    res.set('X-Request-Id', requestId);
    requestContext.run({ requestId, deadline: now + timeoutMs, address: clientAddress(req) }, next);
  };
}

function logRequest(log: Logger): RequestHandler {
  return (req, res, next) => {
    const context = requestContext.getStore();
    const writeLine = () => {
      const line = {
        method: req.method,
        path: loggedPath(req.originalUrl),
        status: res.statusCode,
        ms: Date.now() - arrivedAt(res),
        request_id: context?.requestId,
        user_id: context?.actor?.userId,
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      log.info(line, 'request');
    };
    afterResponse(res, bindActiveTrace(writeLine));
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
