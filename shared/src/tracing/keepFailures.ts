import { type Context, type SpanContext, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';

/** What one process does of one trace between its entry (a request, a call, a message) and the end of that. */
interface Part {
  entry: object;
  /** Spans that have ended, held until the entry ends. */
  held: ReadableSpan[];
  failed: boolean;
  over: boolean;
}

interface Limits {
  /** Most spans held of one part; of a longer one its first, its entry and what failed. */
  perPart: number;
  /** Most spans held in all. */
  inAll: number;
}

// On the span itself: a part lives no longer than its spans, and a WeakMap of all spans would be slow to collect.
const partKey = Symbol('part');
type OfPart = { [partKey]?: Part };
const partOf = (span: object | undefined): Part | undefined => (span as OfPart | undefined)?.[partKey];

const isFailed = (span: ReadableSpan) => span.status.code === SpanStatusCode.ERROR;
const isSampled = (span: ReadableSpan) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;

/**
 * Sends what the sampling chose, and of everything else what failed.
 *
 * The sampling decides at the head of a trace, before anybody knows how it ends. Traces that it did not choose are
 * recorded all the same (createAlwaysRecordSampler), and each process holds its own part of such a trace until its
 * entry ends. If any span in it failed, the whole part is sent; else it is forgotten. A failure that reaches the
 * client fails in every process on its way, so its trace is complete; of one that was made good half-way, the parts
 * before it are missing.
 *
 * Memory is bounded: what exceeds the limits is not held. A failed span itself always is, or is sent at once.
 */
export class KeepFailures implements SpanProcessor {
  readonly #next: SpanProcessor;
  readonly #limits: Limits;
  #held = 0;

  constructor(next: SpanProcessor, limits: Limits = { perPart: 128, inAll: 8_192 }) {
    this.#next = next;
    this.#limits = limits;
  }

  /** How many spans are held now. */
  get held(): number {
    return this.#held;
  }

  onStart(span: Span, parentContext: Context): void {
    this.#next.onStart(span, parentContext);
    if (isSampled(span)) return;
    const parent = trace.getSpan(parentContext);
    const part = partOf(parent) ?? { entry: span, held: [], failed: false, over: false };
    (span as OfPart)[partKey] = part;
  }

  onEnd(span: ReadableSpan): void {
    const part = partOf(span);
    if (!part) {
      if (isSampled(span)) this.#next.onEnd(span);
      return;
    }
    if (isFailed(span)) part.failed = true;
    if (part.entry === span) this.#endPart(part, span);
    // What goes on after its entry has ended is on its own.
    else if (!part.over) this.#hold(part, span);
    else if (isFailed(span)) this.#send(span);
  }

  #hold(part: Part, span: ReadableSpan): void {
    if (part.held.length < this.#limits.perPart && this.#held < this.#limits.inAll) {
      part.held.push(span);
      this.#held += 1;
    } else if (isFailed(span)) this.#send(span);
  }

  #endPart(part: Part, entry: ReadableSpan): void {
    part.over = true;
    this.#held -= part.held.length;
    if (part.failed) for (const span of [...part.held, entry]) this.#send(span);
    part.held = [];
  }

  #send(span: ReadableSpan): void {
    this.#next.onEnd(asSampled(span));
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }
}

// Processors and backends take only spans that say they were sampled.
function asSampled(span: ReadableSpan): ReadableSpan {
  const spanContext: SpanContext = { ...span.spanContext(), traceFlags: TraceFlags.SAMPLED };
  return Object.create(span, { spanContext: { value: () => spanContext } }) as ReadableSpan;
}
