import { type Attributes, context, type Span, SpanKind, trace } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_HEADER,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Request, RequestHandler, Response } from 'express';
import { afterResponse } from '../http/afterResponse.ts';
import { requestIdOf } from '../http/requestId.ts';
import { knownMethod, routeOf } from '../http/route.ts';
import { continueFrom, errorTypeOf, failSpan, tracer } from './span.ts';

const requestIdHeader = ATTR_HTTP_RESPONSE_HEADER('x-request-id');

/** The paths of health probes, which arrive every few seconds and are not traced. */
export const probes: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/*
 * Spans contain route templates instead of paths, because a path may contain personal data. A path that matches no route
 * may contain anything.
 */
const noRoute = '/REDACTED';

/**
 * Creates a server span for each request, which continues the trace of the gateway and ends with the response. The
 * gateway begins traces (requestTrace.ts) and removes the header of clients.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (probes.has(req.path)) return next();
  const parent = continueFrom(req.get('traceparent'));
  const span = tracer.startSpan(knownMethod(req.method), { kind: SpanKind.SERVER }, parent);
  if (!span.isRecording()) return next();
  afterResponse(res, () => endRequest(span, req, res));
  context.with(trace.setSpan(parent, span), next);
};

/** Records the error of a failed request, for the `error.type` of its span. */
export function recordFault(res: Response, error: unknown): void {
  res.locals.tracedFault = error;
}

function endRequest(span: Span, req: Request, res: Response): void {
  const { name, attributes } = serverSpan(req, res);
  span.updateName(name).setAttributes(attributes);
  const fault = faultOf(res);
  if (fault !== undefined) failSpan(span, fault);
  span.end();
}

/** Name and attributes of the server span of a request whose response has ended. */
export function serverSpan(req: Request, res: Response): { name: string; attributes: Attributes } {
  const method = knownMethod(req.method);
  const route = routeOf(req, res);
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_URL_SCHEME]: req.protocol,
    [ATTR_URL_PATH]: route ?? noRoute,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: res.statusCode,
    [requestIdHeader]: [requestIdOf(res) ?? ''],
  };
  if (route === undefined) return { name: method, attributes };
  attributes[ATTR_HTTP_ROUTE] = route;
  return { name: `${method} ${route}`, attributes };
}

/**
 * The `error.type` of a failed request; undefined when it did not fail. 4xx responses are errors of the client. A
 * recorded fault may have cut off a response with any status.
 */
export function faultOf(res: Response): string | undefined {
  const fault: unknown = res.locals.tracedFault;
  if (fault !== undefined) return errorTypeOf(fault);
  return res.statusCode >= 500 ? String(res.statusCode) : undefined;
}
