import { ExportThread } from '@gradeway/shared/tracing/exportThread';
import type { FinishedTrace } from '@gradeway/shared/tracing/requestTrace';
import { startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { waitFor } from '@gradeway/test/waitFor';
import { afterEach, beforeEach, expect, test } from 'vitest';

let receiver: TraceReceiver;
let warnings: string[];
beforeEach(async () => {
  receiver = await startTraceReceiver();
  warnings = [];
});
afterEach(() => receiver.close());

const start = (endpoint = receiver.endpoint, options = {}) => {
  const settings = {
    endpoint,
    service: 'gateway',
    version: '1.2.3',
    resource: { 'service.namespace': 'tests' },
  };
  return new ExportThread(settings, (problem) => warnings.push(problem), options);
};

const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function traceOf(number: number, change: Partial<FinishedTrace> = {}): FinishedTrace {
  const traceId = number.toString(16).padStart(32, '0');
  const route = '/api/v3/courses/:id';
  const sent = { method: 'GET', origin: 'http://courses:3002', route, status: 200 };
  return {
    traceId,
    spanId: '00000000000000a1',
    startedAt,
    endedAt: startedAt + 2.5,
    errorType: undefined,
    request: { method: 'GET', scheme: 'https', route, status: 200, requestId: 'a request' },
    calls: [
      {
        spanId: '00000000000000b2',
        startedAt: startedAt + 1,
        endedAt: startedAt + 2.25,
        errorType: undefined,
        ...sent,
      },
    ],
    ...change,
  };
}

const nanoseconds = (ms: number) => BigInt(startedAt) * 1_000_000n + BigInt(ms * 1e6);

test('a request is exported as a server span, with a client span for its call', async () => {
  const thread = start();
  thread.export(traceOf(1));
  const spans = await receiver.find((found) => (found.length > 0 ? found : undefined));
  await thread.stop();
  const [server, client] = ['server', 'client'].map((kind) => spans.find((span) => span.kind === kind));
  expect(spans).toHaveLength(2);
  expect(server).toMatchObject({
    traceId: traceOf(1).traceId,
    spanId: '00000000000000a1',
    parentId: undefined,
    name: 'GET /api/v3/courses/:id',
    failed: false,
    attributes: { 'url.scheme': 'https', 'http.response.header.x-request-id': ['a request'] },
    resource: { 'service.name': 'gateway', 'service.version': '1.2.3', 'service.namespace': 'tests' },
  });
  expect([server?.startedAt, server?.endedAt]).toEqual([nanoseconds(0), nanoseconds(2.5)]);
  expect(client).toMatchObject({
    spanId: '00000000000000b2',
    parentId: '00000000000000a1',
    failed: false,
    attributes: { 'server.address': 'courses', 'url.full': 'http://courses:3002/api/v3/courses/:id' },
  });
  expect([client?.startedAt, client?.endedAt]).toEqual([nanoseconds(1), nanoseconds(2.25)]);
});

test('a failed request is exported with the type of its error', async () => {
  const thread = start();
  thread.export(traceOf(1, { errorType: 'ECONNRESET', calls: [] }));
  await thread.stop();
  expect(receiver.spans.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
    [true, 'ECONNRESET'],
  ]);
});

test('stopping exports the remaining traces', async () => {
  const thread = start();
  for (let number = 1; number <= 300; number += 1) thread.export(traceOf(number));
  await thread.stop();
  expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(300);
  expect(warnings).toEqual([]);
});

test('what the thread does not take over in time is dropped and reported, and later traces are exported', async () => {
  const thread = start();
  // The thread cannot report that it has taken over anything while this runs.
  for (let number = 1; number <= 10_000; number += 1) thread.export(traceOf(number));
  expect(warnings).toContain('the thread that exports them is too slow');
  await waitFor(() => {
    thread.export(traceOf(10_001));
    return receiver.spans.some(({ traceId }) => traceId === traceOf(10_001).traceId);
  });
  await thread.stop();
  expect(receiver.spans.some(({ traceId }) => traceId === traceOf(10_000).traceId)).toBe(false);
});

test('an error of the thread is reported and stops neither requests nor the process', async () => {
  const thread = start('not a URL');
  await waitFor(() => warnings.length > 0);
  expect(warnings[0]).toMatch(/^the thread that exports them failed: /);
  for (let number = 1; number <= 10_000; number += 1) thread.export(traceOf(number));
  await thread.stop();
  expect(warnings).toHaveLength(1);
});

test('a thread that has failed is started again', async () => {
  const thread = start('not a URL', { restartAfterMs: 0 });
  await waitFor(() => {
    thread.export(traceOf(1));
    return warnings.length >= 2;
  });
  await thread.stop();
  expect(new Set(warnings).size).toBe(1);
});
