import type { Request, Response } from 'express';
import { knownMethod } from '../http/route.ts';
import { type SentRequest, type ServedRequest, servedRequest } from './httpAttributes.ts';
import { faultOf, probes } from './httpSpans.ts';
import { errorTypeOf } from './span.ts';

/** A request that has ended, or a call made for it. Times are in milliseconds since the epoch. */
export interface Finished {
  spanId: string;
  startedAt: number;
  endedAt: number;
  /** `error.type`, if it failed. */
  errorType: string | undefined;
}

export type FinishedCall = Finished & SentRequest;

/** A trace to export. */
export interface FinishedTrace extends Finished {
  traceId: string;
  request: ServedRequest;
  calls: FinishedCall[];
}

/** Creates ids, decides which traces are sampled, and exports finished ones. */
export interface TraceSource {
  newTrace(): { traceId: string; isSampled: boolean };
  newSpanId(): string;
  export(trace: FinishedTrace): void;
}

let source: TraceSource | undefined;

/** Makes {@link beginRequestTrace} begin traces. */
export function beginTracesWith(newSource: TraceSource): void {
  source = newSource;
}

/**
 * Begins the trace of a request that started at `startedAt`, a time of `performance.now()`. Undefined while tracing is
 * off, and for health probes.
 */
export function beginRequestTrace(req: Request, startedAt: number): RequestTrace | undefined {
  return source && !probes.has(req.path) ? new RequestTrace(source, startedAt) : undefined;
}

/** Converts a time of `performance.now()` to milliseconds since the epoch. */
const sinceEpoch = (time: number): number => performance.timeOrigin + time;

/**
 * The trace of a forwarded request. Its spans are created after the request has ended, and only if they are exported,
 * which is known by then. Most traces are neither sampled nor failed, and cost nothing but their id.
 *
 * Span ids only have to differ within their trace. The two halves of the random trace id serve as the ids of the
 * request and of its first call, so most requests need one generated id instead of three.
 */
export class RequestTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly #source: TraceSource;
  readonly #isSampled: boolean;
  readonly #startedAt: number;
  // More than one only if the gateway calls a service itself.
  readonly #calls: ForwardedCall[] = [];

  constructor(traceSource: TraceSource, startedAt: number) {
    this.#source = traceSource;
    this.#startedAt = startedAt;
    ({ traceId: this.traceId, isSampled: this.#isSampled } = traceSource.newTrace());
    this.spanId = this.traceId.slice(16);
  }

  /** Begins the span of a call to a service and creates its `traceparent`. `method` defaults to the request's. */
  forward(origin: string, route: string, method?: string): ForwardedCall {
    const spanId = this.#calls.length === 0 ? this.traceId.slice(0, 16) : this.#source.newSpanId();
    const flags = this.#isSampled ? '01' : '00';
    const call = new ForwardedCall(spanId, `00-${this.traceId}-${spanId}-${flags}`, {
      origin,
      route,
      method,
    });
    this.#calls.push(call);
    return call;
  }

  /** Ends the trace with the response, at a time of `performance.now()`. */
  end(req: Request, res: Response, endedAt: number): void {
    const errorType = faultOf(res);
    const hasFailedCall = this.#calls.some((call) => call.errorType !== undefined);
    if (!this.#isSampled && errorType === undefined && !hasFailedCall) return;
    this.#source.export({
      traceId: this.traceId,
      spanId: this.spanId,
      startedAt: sinceEpoch(this.#startedAt),
      endedAt: sinceEpoch(endedAt),
      errorType,
      request: servedRequest(req, res),
      calls: this.#calls.map((call) => call.finished(req, endedAt)),
    });
  }
}

interface Target {
  origin: string;
  route: string;
  method: string | undefined;
}

/** A call to a service on behalf of a request. */
export class ForwardedCall {
  readonly #startedAt = performance.now();
  #endedAt: number | undefined;
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

  /** Call this when the response is complete. */
  ended(): void {
    this.#endedAt ??= performance.now();
  }

  failed(error: unknown): void {
    if (this.#endedAt === undefined) this.errorType = errorTypeOf(error);
    this.ended();
  }

  /** Returns the call in its exported form, for a request that ended at `endedAt`, a time of `performance.now()`. */
  finished(req: Request, endedAt: number): FinishedCall {
    const { origin, route, method = knownMethod(req.method) } = this.to;
    const { spanId, errorType, status } = this;
    const startedAt = sinceEpoch(this.#startedAt);
    return {
      spanId,
      startedAt,
      endedAt: sinceEpoch(this.#endedAt ?? endedAt),
      errorType,
      method,
      origin,
      route,
      status,
    };
  }
}
