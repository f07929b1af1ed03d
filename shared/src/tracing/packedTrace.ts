import type { FinishedCall, FinishedTrace } from './requestTrace.ts';

/** A trace without names and nested objects: copying it to another thread takes half the time of its objects. */
export type PackedTrace = ReturnType<typeof packTrace>;

export function packTrace({ traceId, spanId, startedAt, endedAt, errorType, request, calls }: FinishedTrace) {
  const { method, scheme, route, status, requestId } = request;
  const packedCalls = calls.map(packCall);
  return [
    traceId,
    spanId,
    startedAt,
    endedAt,
    errorType,
    method,
    scheme,
    route,
    status,
    requestId,
    packedCalls,
  ] as const;
}

/** The trace that {@link packTrace} was given. */
export function unpackTrace(packed: PackedTrace): FinishedTrace {
  const [traceId, spanId, startedAt, endedAt, errorType, ...rest] = packed;
  const [method, scheme, route, status, requestId, calls] = rest;
  const request = { method, scheme, route, status, requestId };
  return { traceId, spanId, startedAt, endedAt, errorType, request, calls: calls.map(unpackCall) };
}

type PackedCall = ReturnType<typeof packCall>;

function packCall(call: FinishedCall) {
  const { spanId, startedAt, endedAt, errorType, method, origin, route, status } = call;
  return [spanId, startedAt, endedAt, errorType, method, origin, route, status] as const;
}

function unpackCall(packed: PackedCall): FinishedCall {
  const [spanId, startedAt, endedAt, errorType, method, origin, route, status] = packed;
  return { spanId, startedAt, endedAt, errorType, method, origin, route, status };
}
