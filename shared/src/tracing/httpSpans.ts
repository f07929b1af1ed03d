import type { IncomingMessage } from 'node:http';
import { type Attributes, context, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_HEADER,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Request, RequestHandler, Response } from 'express';
import { knownMethod, routeOf } from '../http/route.ts';
import { continueFrom, errorTypeOf, failSpan, traceparent, tracer } from './span.ts';

const requestIdHeader = ATTR_HTTP_RESPONSE_HEADER('x-request-id');
// Health probes arrive every few seconds.
const probes = new Set(['/livez', '/readyz']);

/*
 * Spans contain route templates instead of paths, because a path may contain personal data. A path that matches no route
 * may contain anything.
 */
const noRoute = '/REDACTED';

interface Options {
  /** Continues the trace of the caller. Only behind the gateway, which removes the header of clients. */
  trustTraceparent: boolean;
}

/** Creates a server span for each request. It ends with the response. */
export function traceRequests({ trustTraceparent }: Options): RequestHandler {
  return (req, res, next) => {
    if (probes.has(req.path)) return next();
    const parent = trustTraceparent ? continueFrom(req.get('traceparent')) : ROOT_CONTEXT;
    const method = knownMethod(req.method);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    if (!span.isRecording()) return next();
    res.once('close', () => endRequest(span, method, req, res));
    context.with(trace.setSpan(parent, span), next);
  };
}

/** Records the error of a failed request, for the `error.type` of its span. */
export function recordFault(res: Response, error: unknown): void {
  res.locals.tracedFault = error;
}

function endRequest(span: Span, method: string, req: Request, res: Response): void {
  const route = routeOf(req, res);
  const fault: unknown = res.locals.tracedFault;
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_URL_SCHEME]: req.protocol,
    [ATTR_URL_PATH]: route ?? noRoute,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: res.statusCode,
    [requestIdHeader]: [String(res.getHeader('x-request-id'))],
  };
  if (route !== undefined) {
    attributes[ATTR_HTTP_ROUTE] = route;
    span.updateName(`${method} ${route}`);
  }
  span.setAttributes(attributes);
  // 4xx responses are errors of the client. A recorded fault may have cut off a response with any status.
  if (fault !== undefined) failSpan(span, errorTypeOf(fault));
  else if (res.statusCode >= 500) failSpan(span, String(res.statusCode));
  span.end();
}

/** The client span of a request that is forwarded to a service. */
export interface ForwardedRequest {
  answered(answer: IncomingMessage): void;
  failed(error: unknown): void;
}

/**
 * Creates a client span for a request that is forwarded, and sets its `traceparent` in the request headers. Undefined
 * when the request is not traced.
 */
export function traceForward(
  req: Request,
  res: Response,
  origin: string,
  route: string,
): ForwardedRequest | undefined {
  const method = knownMethod(req.method);
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.CLIENT });
  if (!span.isRecording()) return undefined;
  const { hostname, port } = addressOf(origin);
  span.setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: port,
    [ATTR_URL_FULL]: origin + route,
    'url.template': route,
  });
  req.headers.traceparent = traceparent(trace.setSpan(context.active(), span)) ?? undefined;
  let open = true;
  const end = () => {
    if (open) span.end();
    open = false;
  };
  // Ends the span in any case, and before the server span, whose listener was added first.
  res.prependOnceListener('close', end);
  return {
    answered(answer) {
      const { statusCode = 0 } = answer;
      if (!open) return;
      span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode);
      if (statusCode >= 500) failSpan(span, String(statusCode));
      answer.once('close', end);
    },
    failed(error) {
      if (open) failSpan(span, errorTypeOf(error));
      end();
    },
  };
}

const addresses = new Map<string, { hostname: string; port: number }>();

// Caches the parsed addresses of the services.
function addressOf(origin: string): { hostname: string; port: number } {
  const known = addresses.get(origin);
  if (known) return known;
  const { hostname, port, protocol } = new URL(origin);
  const address = { hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  addresses.set(origin, address);
  return address;
}
