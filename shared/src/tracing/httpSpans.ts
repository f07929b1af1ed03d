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
import { continueFrom, failSpan, kindOfError, traceparent, tracer } from './span.ts';

const requestIdHeader = ATTR_HTTP_RESPONSE_HEADER('x-request-id');
// Who watches that we are well asks every few seconds.
const probes = new Set(['/livez', '/readyz']);

/*
 * Paths on spans are the templates of the routes: what stands in their places may be a person's number, and what
 * matches no route may be anything at all.
 */
const noRoute = '/REDACTED';

interface Options {
  /** Whether callers are processes of ours, whose trace goes on here; from outside no trace comes in. */
  fromOurs: boolean;
}

/** A span for each request, from here to the end of the answer. */
export function traceRequests({ fromOurs }: Options): RequestHandler {
  return (req, res, next) => {
    if (probes.has(req.path)) return next();
    const parent = fromOurs ? continueFrom(req.get('traceparent')) : ROOT_CONTEXT;
    const method = knownMethod(req.method);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    if (!span.isRecording()) return next();
    res.once('close', () => endRequest(span, method, req, res));
    context.with(trace.setSpan(parent, span), next);
  };
}

/** Says what went wrong while a request was served, so that its span tells more than a status. */
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
  // A refusal (4xx) is the caller's mistake; an answer that was cut short is ours, whatever its status said.
  if (fault !== undefined) failSpan(span, kindOfError(fault));
  else if (res.statusCode >= 500) failSpan(span, String(res.statusCode));
  span.end();
}

/** The part of a request that another server of ours answers. */
export interface ForwardedRequest {
  answered(answer: IncomingMessage): void;
  failed(error: unknown): void;
}

/** A span for a request that is passed on, if it is traced: its `traceparent` is put among the request's headers. */
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
  // Whatever else happens: before the request's own span ends, whose listener was there first.
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
      if (open) failSpan(span, kindOfError(error));
      end();
    },
  };
}

const addresses = new Map<string, { hostname: string; port: number }>();

// The services' few addresses, each read once.
function addressOf(origin: string): { hostname: string; port: number } {
  const known = addresses.get(origin);
  if (known) return known;
  const { hostname, port, protocol } = new URL(origin);
  const address = { hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  addresses.set(origin, address);
  return address;
}
