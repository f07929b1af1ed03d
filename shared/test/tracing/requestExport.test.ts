import { startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { waitFor } from '@gradeway/test/waitFor';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RequestExport } from '../../src/tracing/requestExport.ts';
import type { FinishedTrace } from '../../src/tracing/requestTrace.ts';

let receiver: TraceReceiver;
let warnings: string[];
beforeEach(async () => {
  receiver = await startTraceReceiver();
  warnings = [];
});
afterEach(() => receiver.close());

function start(): RequestExport {
  const { endpoint } = receiver;
  const resource = { 'service.namespace': 'tests' };
  const settings = { endpoint, service: 'gateway', version: '1.2.3', resource };
  return new RequestExport(settings, (problem) => warnings.push(problem));
}

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

/** In microseconds after `startedAt`. */
const microseconds = (time = 0n) => Math.round(Number(time - BigInt(startedAt) * 1_000_000n) / 1_000);

test('a request is exported as a server span, with a client span for its call', async () => {
  const requests = start();
  requests.export(traceOf(1));
  const spans = await receiver.find((found) => (found.length > 0 ? found : undefined));
  await requests.stop();
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
  expect([server?.startedAt, server?.endedAt].map(microseconds)).toEqual([0, 2_500]);
  expect(client).toMatchObject({
    spanId: '00000000000000b2',
    parentId: '00000000000000a1',
    failed: false,
    attributes: { 'server.address': 'courses', 'url.full': 'http://courses:3002/api/v3/courses/:id' },
  });
  expect([client?.startedAt, client?.endedAt].map(microseconds)).toEqual([1_000, 2_250]);
});

test('a failed request is exported with the type of its error', async () => {
  const requests = start();
  requests.export(traceOf(1, { errorType: 'ECONNRESET', calls: [] }));
  await requests.stop();
  expect(receiver.spans.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
    [true, 'ECONNRESET'],
  ]);
});

test('stopping exports the remaining traces', async () => {
  const requests = start();
  for (let number = 1; number <= 300; number += 1) requests.export(traceOf(number));
  await requests.stop();
  expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(300);
  expect(warnings).toEqual([]);
});

test('spans have the route, method, status and address of their own request', async () => {
  const requests = start();
  const call = (change: object) => ({
    ...(traceOf(0).calls[0] as FinishedTrace['calls'][number]),
    ...change,
  });
  const request = (change: object) => ({ ...traceOf(0).request, ...change });
  requests.export(traceOf(1));
  requests.export(traceOf(2, { request: request({ method: 'POST', status: 201 }), calls: [] }));
  requests.export(traceOf(3, { request: request({ route: undefined, status: 404 }), calls: [] }));
  requests.export(traceOf(4, { calls: [call({ origin: 'https://quiz' }), call({ status: undefined })] }));
  requests.export(
    traceOf(5, { request: request({ scheme: 'http', requestId: 'é'.repeat(100) }), calls: [] }),
  );
  await requests.stop();
  const found = receiver.spans.map(({ traceId, kind, name, attributes }) => [
    Number(traceId),
    kind,
    name,
    attributes['http.response.status_code'],
    attributes['url.scheme'] ?? attributes['url.full'],
    attributes['http.response.header.x-request-id'],
  ]);
  const [get, url] = ['GET /api/v3/courses/:id', 'courses:3002/api/v3/courses/:id'];
  expect(found).toEqual([
    [1, 'server', get, 200, 'https', ['a request']],
    [1, 'client', get, 200, `http://${url}`, undefined],
    [2, 'server', 'POST /api/v3/courses/:id', 201, 'https', ['a request']],
    [3, 'server', 'GET', 404, 'https', ['a request']],
    [4, 'server', get, 200, 'https', ['a request']],
    [4, 'client', get, 200, 'https://quiz/api/v3/courses/:id', undefined],
    [4, 'client', get, undefined, `http://${url}`, undefined],
    [5, 'server', get, 200, 'http', ['é'.repeat(100)]],
  ]);
});

test('traces that the collector does not accept in time are dropped and reported, and later ones are exported', async () => {
  const requests = start();
  receiver.hang();
  for (let number = 1; number <= 10_000; number += 1) requests.export(traceOf(number));
  expect(warnings).toContain('Concurrent export limit reached');
  await receiver.resume();
  await waitFor(() => {
    requests.export(traceOf(10_001));
    return receiver.spans.some(({ traceId }) => traceId === traceOf(10_001).traceId);
  });
  await requests.stop();
  expect(receiver.spans.some(({ traceId }) => traceId === traceOf(9_000).traceId)).toBe(false);
});

test('an unreachable collector is reported', async () => {
  await receiver.stop();
  const requests = start();
  requests.export(traceOf(1));
  await requests.stop();
  expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED')]);
});
