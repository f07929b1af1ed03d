import type { Answer } from '@gradeway/test/httpClient';
import type { ReceivedSpan } from '@gradeway/test/otlp';
import { serviceOf } from '@gradeway/test/traceReceiver';

/** The trace of a request, found by the request id of its response. */
export function traceOf(spans: ReceivedSpan[], { headers }: Answer): ReceivedSpan[] {
  const root = spans.find(({ parentId, attributes }) => {
    const requestIds = attributes['http.response.header.x-request-id'] as string[] | undefined;
    return parentId === undefined && requestIds?.[0] === headers.get('x-request-id');
  });
  return spans.filter(({ traceId }) => traceId === root?.traceId);
}

/** Each span with its parent: `gateway client POST /x → quiz server POST /x`, or `client → …` for a root span. */
export function edgesOf(trace: ReceivedSpan[]): Set<string> {
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  const nameOf = (span: ReceivedSpan) => `${serviceOf(span)} ${span.kind} ${span.name}`;
  const parentOf = ({ parentId }: ReceivedSpan) => {
    if (parentId === undefined) return 'client';
    const parent = byId.get(parentId);
    return parent ? nameOf(parent) : 'missing span';
  };
  return new Set(trace.map((span) => `${parentOf(span)} → ${nameOf(span)}`));
}
