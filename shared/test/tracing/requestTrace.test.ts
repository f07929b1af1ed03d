import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { type FinishedTrace, RequestTrace } from '../../src/tracing/requestTrace.ts';

/** A source of sampled traces, and its exported spans. */
function source() {
  const ids = new RandomIdGenerator();
  const exported: FinishedTrace[] = [];
  return {
    exported,
    newTrace: () => ({ traceId: ids.generateTraceId(), isSampled: true }),
    newSpanId: () => ids.generateSpanId(),
    export: (trace: FinishedTrace) => void exported.push(trace),
  };
}

const req = { method: 'GET', secure: false, route: { path: '/' }, baseUrl: '' } as unknown as Request;
const res = { statusCode: 200, locals: {} } as unknown as Response;

test('the request and each of its calls have separate ids within the trace', () => {
  const traces = source();
  const trace = new RequestTrace(traces, performance.now());
  const calls = ['/first', '/second', '/third'].map((route) => trace.forward('http://service', route));
  trace.end(req, res, performance.now());
  const [exported] = traces.exported;
  const ids = [exported?.spanId, ...(exported?.calls ?? []).map((call) => call.spanId)];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(calls.map((call) => call.traceparent)).toEqual(
    ids.slice(1).map((id) => `00-${trace.traceId}-${id}-01`),
  );
});

test('times are exported as milliseconds since the epoch, in the order of the events', () => {
  const before = performance.timeOrigin + performance.now();
  const traces = source();
  const trace = new RequestTrace(traces, performance.now());
  const ended = trace.forward('http://service', '/');
  ended.ended();
  trace.forward('http://service', '/');
  trace.end(req, res, performance.now());
  const after = performance.timeOrigin + performance.now();
  const [{ startedAt, endedAt, calls }] = traces.exported as [FinishedTrace];
  const [first, second] = calls as [FinishedTrace['calls'][number], FinishedTrace['calls'][number]];
  const times = [before, startedAt, first.startedAt, first.endedAt, second.startedAt, endedAt, after];
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  // A call without an end ends with its request.
  expect(second.endedAt).toBe(endedAt);
});

test('the scheme is http or https, whatever a client claims', () => {
  const schemes = ['http', 'https', 'javascript'].map((protocol) => {
    const traces = source();
    const claimed = { ...req, protocol, secure: protocol === 'https' } as Request;
    new RequestTrace(traces, performance.now()).end(claimed, res, performance.now());
    return traces.exported[0]?.request.scheme;
  });
  expect(schemes).toEqual(['http', 'https', 'http']);
});
