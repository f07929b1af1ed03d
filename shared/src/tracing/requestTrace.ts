import { type Context, ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { knownMethod } from '../http/route.ts';
import { clientSpan, type NamedSpan, servedRequest, serverSpan } from './httpAttributes.ts';
import { faultOf, probes } from './httpSpans.ts';
import { rpcClientSpan } from './rpcSpans.ts';
import { errorTypeOf, failSpan } from './span.ts';

export interface SpanIds {
  traceId: string;
  spanId: string;
}

/** Creates ids, decides which traces are sampled, and creates spans with these ids later. */
export interface TraceSource {
  newTrace(): { traceId: string; isSampled: boolean };
  newSpanId(): string;
  /** Attributes are cheaper to set on the span: the SDK validates those in `options` twice. */
  createSpan(ids: SpanIds, name: string, options: SpanOptions, parent: Context): Span;
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

/**
 * Converts a time of `performance.now()` to milliseconds since the epoch. OpenTelemetry would convert each time with
 * its own offset, which differs by up to a millisecond.
 */
const sinceEpoch = (time: number): number => performance.timeOrigin + time;

/**
 * The trace of a forwarded request. Its spans are created after the response, when it is known whether they will be
 * exported, which requires that the trace is sampled or failed. Other traces cost little more than their ids.
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
    this.spanId = traceSource.newSpanId();
  }

  /** Begins a call to a service. `method` defaults to the request's. */
  forward(origin: string, route: string, method?: string): ForwardedCall {
    return this.#begin((status, req) =>
      clientSpan({ method: method ?? knownMethod(req.method), origin, route, status }),
    );
  }

  /** Begins an RPC that the gateway itself makes. */
  callRpc(address: string, name: string): ForwardedCall {
    return this.#begin(() => rpcClientSpan(name, address));
  }

  #begin(describe: Describe): ForwardedCall {
    const ids = { traceId: this.traceId, spanId: this.#source.newSpanId() };
    const call = new ForwardedCall(ids, this.#isSampled, describe);
    this.#calls.push(call);
    return call;
  }

  /** Ends the trace with the response, at a time of `performance.now()`. */
  end(req: Request, res: Response, endedAt: number): void {
    const errorType = faultOf(res);
    const isFailed = errorType !== undefined || this.#calls.some((call) => call.errorType !== undefined);
    if (!this.#isSampled && !isFailed) return;
    const { name, attributes } = serverSpan(servedRequest(req, res));
    const options = { kind: SpanKind.SERVER, startTime: sinceEpoch(this.#startedAt) };
    const span = this.#source.createSpan(this, name, options, ROOT_CONTEXT);
    span.setAttributes(attributes);
    if (errorType !== undefined) failSpan(span, errorType);
    const parent = trace.setSpan(ROOT_CONTEXT, span);
    for (const call of this.#calls) call.createSpan(this.#source, parent, req, endedAt);
    span.end(sinceEpoch(endedAt));
  }
}

/** Returns the name and attributes of a call's span, from the status of its response and the request that caused it. */
type Describe = (status: number | undefined, req: Request) => NamedSpan;

/** A call to a service on behalf of a request. */
export class ForwardedCall {
  readonly #startedAt = performance.now();
  readonly #ids: SpanIds;
  readonly #describe: Describe;
  #endedAt: number | undefined;
  #status: number | undefined;
  #errorType: string | undefined;
  readonly traceparent: string;

  constructor(ids: SpanIds, isSampled: boolean, describe: Describe) {
    this.#ids = ids;
    this.#describe = describe;
    this.traceparent = `00-${ids.traceId}-${ids.spanId}-${isSampled ? '01' : '00'}`;
  }

  /** `error.type`, if the call failed. */
  get errorType(): string | undefined {
    return this.#errorType;
  }

  /** Records the status of the response. */
  responded(status: number): void {
    this.#status = status;
    if (status >= 500) this.#errorType = String(status);
  }

  /** Call this when the response is complete. */
  ended(): void {
    this.#endedAt ??= performance.now();
  }

  failed(error: unknown): void {
    if (this.#endedAt === undefined) this.#errorType = errorTypeOf(error);
    this.ended();
  }

  /** Creates the span of the call, which ends with its request at `requestEndedAt` if it has not ended before. */
  createSpan(traceSource: TraceSource, parent: Context, req: Request, requestEndedAt: number): void {
    const { name, attributes } = this.#describe(this.#status, req);
    const options = { kind: SpanKind.CLIENT, startTime: sinceEpoch(this.#startedAt) };
    const span = traceSource.createSpan(this.#ids, name, options, parent);
    span.setAttributes(attributes);
    if (this.#errorType !== undefined) failSpan(span, this.#errorType);
    span.end(sinceEpoch(this.#endedAt ?? requestEndedAt));
  }
}
