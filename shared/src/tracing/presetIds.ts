import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { SpanIds } from './requestTrace.ts';

/** Generates random ids, except for spans that are created after their ids have been sent to another process. */
export class PresetIds extends RandomIdGenerator {
  #preset: SpanIds | undefined;

  override generateTraceId(): string {
    return this.#preset?.traceId ?? super.generateTraceId();
  }

  override generateSpanId(): string {
    return this.#preset?.spanId ?? super.generateSpanId();
  }

  /** Creates one span, which gets these ids. */
  createSpan<Span>(ids: SpanIds, create: () => Span): Span {
    this.#preset = ids;
    try {
      return create();
    } finally {
      this.#preset = undefined;
    }
  }
}
