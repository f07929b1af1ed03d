import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';

/** The instrumentation scope of all spans. */
export const scopeName = 'gradeway';

/** Creates spans while code runs. While tracing is off, they record nothing and cost almost nothing. */
export const tracer = trace.getTracer(scopeName);

/** The current span; undefined while tracing is off or outside any span. */
export function activeSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

/**
 * Returns the `error.type` of a span: the error's code, or else its class. Omits the message, which can contain
 * personal data; the log line with the same trace id has it.
 */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** Marks a span as failed. Failed spans are exported even if their trace is not sampled (failedTraceProcessor.ts). */
export function failSpan(span: Span, errorType: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

interface Options extends SpanOptions {
  /** Context of the parent span; the current one by default. */
  parent?: Context;
  /** Returns the `error.type` of an error; {@link errorTypeOf} by default. */
  errorType?: (error: unknown) => string;
}

/** Runs `work` in a new span. The span fails if `work` throws. */
export async function inSpan<T>(
  name: string,
  { parent = context.active(), errorType = errorTypeOf, ...options }: Options,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    failSpan(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** {@link inSpan} if there is a current span; otherwise just runs `work`, because periodic tasks create no traces. */
export function inChildSpan<T>(
  name: string,
  options: Options,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  return activeSpan() ? inSpan(name, options, work) : work();
}

/** Returns the current span as a W3C `traceparent`, to be continued in another process; null if there is no span. */
export function traceparent(at: Context = context.active()): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(at, carrier);
  return carrier.traceparent ?? null;
}

/** Binds a callback to the current trace, for events that are emitted outside of it. */
export function bindActiveTrace(callback: () => void): () => void {
  const at = context.active();
  return at === ROOT_CONTEXT ? callback : () => context.with(at, callback);
}

/** Returns the context of a `traceparent` from another process of the system. Without one, a new trace begins there. */
export function continueFrom(traceparent: string | null | undefined): Context {
  return traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
}

/** Runs `work` within the span of a `traceparent`, so that calls to other processes continue its trace. */
export const withinTrace = <T>(parent: string, work: () => T): T => context.with(continueFrom(parent), work);
