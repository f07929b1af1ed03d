import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import { afterResponse } from '../http/afterResponse.ts';
import { knownMethod } from '../http/route.ts';
import { servedRequest, serverSpan } from './httpAttributes.ts';
import { continueFrom, errorTypeOf, failSpan, tracer } from './span.ts';

/** The paths of health probes, which arrive every few seconds and are not traced. */
export const probes: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/**
 * Creates a server span for each request. It continues the gateway's trace and ends with the response. The gateway
 * begins traces (requestTrace.ts) and removes the header that clients send.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (probes.has(req.path)) return next();
  const parent = continueFrom(req.get('traceparent'));
  const span = tracer.startSpan(knownMethod(req.method), { kind: SpanKind.SERVER }, parent);
  if (!span.isRecording()) return next();
  afterResponse(res, () => endRequest(span, req, res));
  context.with(trace.setSpan(parent, span), next);
};

/** Records the error of a failed request for the `error.type` of its span. */
export function recordFault(res: Response, error: unknown): void {
  res.locals.tracedFault = error;
}

function endRequest(span: Span, req: Request, res: Response): void {
  const { name, attributes } = serverSpan(servedRequest(req, res));
  span.updateName(name).setAttributes(attributes);
  const fault = faultOf(res);
  if (fault !== undefined) failSpan(span, fault);
  span.end();
}

/**
 * Returns the `error.type` of a failed request; undefined if it did not fail. 4xx responses are client errors. A
 * recorded fault may have cut off a response with any status.
 */
export function faultOf(res: Response): string | undefined {
  const fault: unknown = res.locals.tracedFault;
  if (fault !== undefined) return errorTypeOf(fault);
  return res.statusCode >= 500 ? String(res.statusCode) : undefined;
}
