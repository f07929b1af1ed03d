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

/** Makes every span of ours. While tracing is off it makes none: its spans record nothing and cost next to nothing. */
export const tracer = trace.getTracer('gradeway');

/** The span that goes on here, if tracing is on and this belongs to something that is traced. */
export function activeSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

/**
 * What kind of error it was: its code where it has one, else its class. Never its sentence, which may quote what
 * somebody sent; the log line that has the sentence carries the trace's id.
 */
export function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** Marks a span as failed. Failed spans are kept whatever the sampling (keepFailures.ts). */
export function failSpan(span: Span, kind: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

interface Options extends SpanOptions {
  /** Where the span belongs; by default, to what goes on here. */
  parent?: Context;
  /** What to call the failure that an error is. */
  kindOf?: (error: unknown) => string;
}

/** Does something within a span, which fails when the work throws. */
export async function inSpan<T>(
  name: string,
  { parent = context.active(), kindOf = kindOfError, ...options }: Options,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    failSpan(span, kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * The same where the work is part of something traced; elsewhere there is only the work. So what runs by itself
 * every second makes no traces.
 */
export function inChildSpan<T>(
  name: string,
  options: Options,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  return activeSpan() ? inSpan(name, options, work) : work();
}

/** The present place in its trace as a W3C `traceparent`, to be continued elsewhere. */
export function traceparent(at: Context = context.active()): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(at, carrier);
  return carrier.traceparent ?? null;
}

/** For what is called back from somewhere else: it belongs to the trace that one is in now. */
export function inThisTrace(callback: () => void): () => void {
  const at = context.active();
  return at === ROOT_CONTEXT ? callback : () => context.with(at, callback);
}

/** Where a `traceparent` of one of our own processes continues; the beginning of a trace when there is none. */
export function continueFrom(sent: string | null | undefined): Context {
  return sent ? propagation.extract(ROOT_CONTEXT, { traceparent: sent }) : ROOT_CONTEXT;
}
