import { type Context, type SpanContext, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';

/** The spans of one trace in this process, from the start to the end of an entry span (request, call, message). */
interface Segment {
  entry: object;
  /** Ended spans, held until the entry span ends. */
  held: ReadableSpan[];
  failed: boolean;
  ended: boolean;
}

interface Limits {
  /** Maximum number of held spans per segment. Above it, only the entry span and failed spans are exported. */
  perSegment: number;
  /** Maximum number of held spans in total. */
  total: number;
}

// Stored on the span, which lives as long as its segment. A WeakMap of all spans would slow down garbage collection.
const segmentKey = Symbol('segment');
type WithSegment = { [segmentKey]?: Segment };
const segmentOf = (span: object | undefined): Segment | undefined =>
  (span as WithSegment | undefined)?.[segmentKey];

const isFailed = (span: ReadableSpan) => span.status.code === SpanStatusCode.ERROR;
const isSampled = (span: ReadableSpan) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;

/**
 * Exports all sampled spans, and the segments of unsampled traces in which a span failed.
 *
 * Sampling is decided when a trace begins, before its outcome is known. Unsampled traces are therefore also recorded
 * (createAlwaysRecordSampler), and each process holds its segment of such a trace until the entry span ends. If any
 * span of the segment failed, the whole segment is exported; otherwise it is dropped. A failure that reaches the client
 * fails the segments of all processes involved, so its trace is complete. If a failure is handled along the way, the
 * callers' segments are missing.
 *
 * Memory is bounded: spans above the limits are dropped, except failed ones, which are exported immediately.
 */
export class FailedTraceProcessor implements SpanProcessor {
  readonly #next: SpanProcessor;
  readonly #limits: Limits;
  #held = 0;

  constructor(next: SpanProcessor, limits: Limits = { perSegment: 128, total: 8_192 }) {
    this.#next = next;
    this.#limits = limits;
  }

  /** Number of spans currently held. */
  get held(): number {
    return this.#held;
  }

  onStart(span: Span, parentContext: Context): void {
    this.#next.onStart(span, parentContext);
    if (isSampled(span)) return;
    const parent = trace.getSpan(parentContext);
    const segment = segmentOf(parent) ?? { entry: span, held: [], failed: false, ended: false };
    (span as WithSegment)[segmentKey] = segment;
  }

  onEnd(span: ReadableSpan): void {
    const segment = segmentOf(span);
    if (!segment) {
      if (isSampled(span)) this.#next.onEnd(span);
      return;
    }
    if (isFailed(span)) segment.failed = true;
    if (segment.entry === span) this.#endSegment(segment, span);
    else if (!segment.ended) this.#hold(segment, span);
    // A span that ends after its entry span is only exported if it failed itself.
    else if (isFailed(span)) this.#export(span);
  }

  #hold(segment: Segment, span: ReadableSpan): void {
    if (segment.held.length < this.#limits.perSegment && this.#held < this.#limits.total) {
      segment.held.push(span);
      this.#held += 1;
    } else if (isFailed(span)) this.#export(span);
  }

  #endSegment(segment: Segment, entry: ReadableSpan): void {
    segment.ended = true;
    this.#held -= segment.held.length;
    if (segment.failed) for (const span of [...segment.held, entry]) this.#export(span);
    segment.held = [];
  }

  #export(span: ReadableSpan): void {
    this.#next.onEnd(asSampled(span));
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }
}

// Exporters and backends ignore spans without the sampled flag.
function asSampled(span: ReadableSpan): ReadableSpan {
  const spanContext: SpanContext = { ...span.spanContext(), traceFlags: TraceFlags.SAMPLED };
  return Object.create(span, { spanContext: { value: () => spanContext } }) as ReadableSpan;
}
