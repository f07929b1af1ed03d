import type { Request, Response } from 'express';
import { knownMethod } from '../http/route.ts';
import { type SentRequest, type ServedRequest, servedRequest } from './httpAttributes.ts';
import { faultOf, probes } from './httpSpans.ts';
import { errorTypeOf } from './span.ts';

/** A request that has ended, or a call made for it. Times are milliseconds since the epoch. */
export interface Finished {
  spanId: string;
  startedAt: number;
  endedAt: number;
  /** `error.type`, if it failed. */
  errorType: string | undefined;
}

export type FinishedCall = Finished & SentRequest;

/** A trace to export. Plain data, which can be passed to another thread. */
export interface FinishedTrace extends Finished {
  traceId: string;
  request: ServedRequest;
  calls: FinishedCall[];
}

/** Creates ids, decides which traces are sampled, and exports those that have ended. */
export interface TraceSource {
  newTrace(): { traceId: string; spanId: string; isSampled: boolean };
  newSpanId(): string;
  export(trace: FinishedTrace): void;
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
 * The trace of a request that is forwarded. Its spans are created after the request has ended and only if they are
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
    const errorType = faultOf(res);
    const hasFailedCall = this.#calls.some((call) => call.errorType !== undefined);
    if (!this.#isSampled && errorType === undefined && !hasFailedCall) return;
    const endedAt = now();
    this.#source.export({
      traceId: this.traceId,
      spanId: this.spanId,
      startedAt: this.#startedAt,
      endedAt,
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

  /** The call as it is exported, for a request that ended at `endedAt`. */
  finished(req: Request, endedAt: number): FinishedCall {
    const { origin, route, method = knownMethod(req.method) } = this.to;
    const { spanId, startedAt, errorType, status } = this;
    return { spanId, startedAt, endedAt: this.endedAt ?? endedAt, errorType, method, origin, route, status };
  }
}
