import { SpanKind } from '@opentelemetry/api';
import { clientSpan, type SentRequest } from './httpAttributes.ts';
import { inChildSpan } from './span.ts';

/** Creates a client span for an HTTP call made by a traced operation. `work` returns the response. */
export function traceHttpCall<T extends { status: number }>(
  request: Omit<SentRequest, 'status'>,
  work: () => Promise<T>,
): Promise<T> {
  const { name, attributes } = clientSpan({ ...request, status: undefined });
  return inChildSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const response = await work();
    span?.setAttributes(clientSpan({ ...request, status: response.status }).attributes);
    return response;
  });
}
