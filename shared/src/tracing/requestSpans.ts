import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import { clientSpan, type NamedSpan, serverSpan } from './httpAttributes.ts';
import type { Finished, FinishedTrace } from './requestTrace.ts';
import { scopeName } from './span.ts';

/** The spans of a request that was forwarded: the calls, and the request around them. */
export function spansOf(trace: FinishedTrace, resource: Resource): ReadableSpan[] {
  const { traceId, request, calls } = trace;
  const server = new EndedSpan(SpanKind.SERVER, serverSpan(request), trace, { traceId, resource });
  const parent = server.spanContext();
  const spans: ReadableSpan[] = [server];
  for (const call of calls)
    spans.push(new EndedSpan(SpanKind.CLIENT, clientSpan(call), call, { traceId, resource, parent }));
  return spans;
}

interface Origin {
  traceId: string;
  resource: Resource;
  parent?: SpanContext;
}

const ok = { code: SpanStatusCode.UNSET };
const failed = { code: SpanStatusCode.ERROR };
const none: never[] = [];
const scope = { name: scopeName };

/** A span that is created after its end, complete and for the exporter only: a fraction of the work of the SDK's spans. */
class EndedSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly status: { code: SpanStatusCode };
  readonly attributes: Attributes;
  readonly resource: Resource;
  readonly ended = true;
  readonly links = none;
  readonly events = none;
  readonly instrumentationScope = scope;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #context: SpanContext;

  constructor(
    kind: SpanKind,
    { name, attributes }: NamedSpan,
    { spanId, startedAt, endedAt, errorType }: Finished,
    { traceId, resource, parent }: Origin,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.resource = resource;
    this.startTime = hrTime(startedAt);
    this.endTime = hrTime(endedAt);
    this.duration = hrTime(endedAt - startedAt);
    this.status = errorType === undefined ? ok : failed;
    if (errorType !== undefined) attributes[ATTR_ERROR_TYPE] = errorType;
    if (parent) this.parentSpanContext = parent;
    this.#context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  }

  spanContext(): SpanContext {
    return this.#context;
  }
}

/** Milliseconds as seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1e6)];
}
