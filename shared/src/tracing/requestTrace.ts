import { type Context, ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
} from '@opentelemetry/semantic-conventions';
import type { Request, Response } from 'express';
import { knownMethod } from '../http/route.ts';
import { faultOf, probes, serverSpan } from './httpSpans.ts';
import { errorTypeOf, failSpan } from './span.ts';

interface SpanIds {
  traceId: string;
  spanId: string;
}

/** Creates ids, decides which traces are sampled, and creates spans with ids that were created earlier. */
export interface TraceSource {
  newTrace(): SpanIds & { isSampled: boolean };
  newSpanId(): string;
  startSpan(ids: SpanIds, name: string, options: SpanOptions, parent: Context): Span;
}

let source: TraceSource | undefined;

/** Makes {@link beginRequestTrace} begin traces. */
export function beginTracesWith(newSource: TraceSource): void {
  source = newSource;
}

/** Begins the trace of a request; undefined while tracing is off, and for health probes. */
export function beginRequestTrace(req: Request): RequestTrace | undefined {
  return source && !probes.has(req.path) ? new RequestTrace(source) : undefined;
}

const now = (): number => performance.timeOrigin + performance.now();

/**
 * The trace of a request that is forwarded. Its spans are created when the request has ended and only if they are
 * exported, which is known by then: most traces are neither sampled nor failed, and cost nothing but their ids.
 */
export class RequestTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly #source: TraceSource;
  readonly #isSampled: boolean;
  readonly #startedAt = now();
  // More than one only where the gateway calls a service itself.
  readonly #calls: ForwardedCall[] = [];

  constructor(traceSource: TraceSource) {
    this.#source = traceSource;
    ({ traceId: this.traceId, spanId: this.spanId, isSampled: this.#isSampled } = traceSource.newTrace());
  }

  /** Begins the span of the call to a service, with its `traceparent`. `method` is that of the request by default. */
  forward(origin: string, route: string, method?: string): ForwardedCall {
    const spanId = this.#source.newSpanId();
    const flags = this.#isSampled ? '01' : '00';
    const call = new ForwardedCall(spanId, `00-${this.traceId}-${spanId}-${flags}`, {
      origin,
      route,
      method,
    });
    this.#calls.push(call);
    return call;
  }

  /** Ends the trace with the response. */
  end(req: Request, res: Response): void {
    const fault = faultOf(res);
    const hasFailedCall = this.#calls.some(({ errorType }) => errorType !== undefined);
    if (!this.#isSampled && fault === undefined && !hasFailedCall) return;
    const { name, attributes } = serverSpan(req, res);
    const options = { kind: SpanKind.SERVER, startTime: this.#startedAt, attributes };
    const span = this.#source.startSpan(this, name, options, ROOT_CONTEXT);
    if (fault !== undefined) failSpan(span, fault);
    for (const call of this.#calls) this.#endCall(call, req, span);
    span.end(now());
  }

  #endCall(call: ForwardedCall, req: Request, parent: Span): void {
    const { origin, route, method = knownMethod(req.method) } = call.to;
    const { hostname, port } = addressOf(origin);
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_SERVER_ADDRESS]: hostname,
      [ATTR_SERVER_PORT]: port,
      [ATTR_URL_FULL]: origin + route,
      'url.template': route,
      ...(call.status === undefined ? {} : { [ATTR_HTTP_RESPONSE_STATUS_CODE]: call.status }),
    };
    const options = { kind: SpanKind.CLIENT, startTime: call.startedAt, attributes };
    const ids = { traceId: this.traceId, spanId: call.spanId };
    const span = this.#source.startSpan(
      ids,
      `${method} ${route}`,
      options,
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    if (call.errorType !== undefined) failSpan(span, call.errorType);
    span.end(call.endedAt ?? now());
  }
}

interface Target {
  origin: string;
  route: string;
  method: string | undefined;
}

/** The call to a service for a request. */
export class ForwardedCall {
  readonly startedAt = now();
  endedAt: number | undefined;
  status: number | undefined;
  errorType: string | undefined;
  readonly spanId: string;
  readonly traceparent: string;
  readonly to: Target;

  constructor(spanId: string, traceparent: string, to: Target) {
    this.spanId = spanId;
    this.traceparent = traceparent;
    this.to = to;
  }

  answered(status: number): void {
    this.status = status;
    if (status >= 500) this.errorType = String(status);
  }

  /** The answer is complete. */
  ended(): void {
    this.endedAt ??= now();
  }

  failed(error: unknown): void {
    if (this.endedAt === undefined) this.errorType = errorTypeOf(error);
    this.ended();
  }
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
