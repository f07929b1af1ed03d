import type { ReceivedSpan } from '@gradeway/test/otlp';
import { startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { waitFor } from '@gradeway/test/waitFor';
import { context, logs, propagation, trace } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordFault } from '../../src/tracing/httpSpans.ts';
import { startOpenTelemetry } from '../../src/tracing/openTelemetry.ts';
import { beginRequestTrace, type RequestTrace } from '../../src/tracing/requestTrace.ts';

let receiver: TraceReceiver;
let warnings: string[];
let stop: () => Promise<void>;
beforeEach(async () => {
  receiver = await startTraceReceiver();
  warnings = [];
});
afterEach(async () => {
  await stop();
  // The next test registers its own SDK.
  for (const api of [trace, context, propagation, logs]) api.disable();
  await receiver.close();
});

function start(ratio: number): void {
  const { endpoint } = receiver;
  const resource = { 'service.namespace': 'tests' };
  const options = { endpoint, service: 'gateway', version: '1.2.3', resource, ratio };
  stop = startOpenTelemetry(options, (problem) => warnings.push(problem));
}

const route = '/api/v3/courses/:id';
const origin = 'http://courses:3002';

interface Exchange {
  method?: string;
  secure?: boolean;
  route?: string | null;
  status?: number;
  requestId?: string;
}

function exchange({ status = 200, requestId = 'a request', ...request }: Exchange = {}) {
  const path = request.route === undefined ? route : request.route;
  const { method = 'GET', secure = true } = request;
  const req = { method, secure, path: '/', route: path === null ? undefined : { path } };
  return {
    req: req as unknown as Request,
    res: { statusCode: status, locals: { requestId } } as unknown as Response,
  };
}

function begin({ req } = exchange(), startedAt = performance.now()): RequestTrace {
  const begun = beginRequestTrace(req, startedAt);
  if (!begun) throw new Error('tracing is off');
  return begun;
}

/** Traces a request with a call to a service. */
function traceRequest({ req, res } = exchange()): RequestTrace {
  const begun = begin({ req, res });
  const call = begun.forward(origin, route);
  call.responded(200);
  call.ended();
  begun.end(req, res, performance.now());
  return begun;
}

const kinds = ['server', 'client'] as const;
const byKind = () => kinds.map((kind) => receiver.spans.find((span) => span.kind === kind));

test('a request is exported as a server span, with a client span for its call', async () => {
  start(1);
  const { traceId, spanId } = traceRequest();
  await receiver.find((found) => (found.length > 0 ? found : undefined));
  const [server, client] = byKind();
  expect(receiver.spans).toHaveLength(2);
  expect(server).toMatchObject({
    traceId,
    spanId,
    parentId: undefined,
    name: 'GET /api/v3/courses/:id',
    failed: false,
    attributes: { 'url.scheme': 'https', 'http.response.header.x-request-id': ['a request'] },
    resource: { 'service.name': 'gateway', 'service.version': '1.2.3', 'service.namespace': 'tests' },
  });
  expect(client).toMatchObject({
    traceId,
    parentId: spanId,
    name: 'GET /api/v3/courses/:id',
    failed: false,
    attributes: { 'server.address': 'courses', 'url.full': 'http://courses:3002/api/v3/courses/:id' },
  });
});

test('the request and each of its calls have separate ids, which services receive', async () => {
  start(1);
  const { req, res } = exchange();
  const begun = begin();
  const calls = ['/first', '/second', '/third'].map((path) => begun.forward(origin, path));
  begun.end(req, res, performance.now());
  await stop();
  const ids = receiver.spans.map(({ spanId }) => spanId);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  const sent = new Set(calls.map(({ traceparent }) => traceparent));
  const clients = receiver.spans.filter(({ kind }) => kind === 'client');
  expect(new Set(clients.map(({ spanId }) => `00-${begun.traceId}-${spanId}-01`))).toEqual(sent);
});

test('times are exact to the microsecond and in chronological order', async () => {
  start(1);
  const { req, res } = exchange();
  const [startedAt, before] = [performance.now() - 2.5, performance.now()];
  const begun = begin({ req, res }, startedAt);
  begun.forward(origin, '/first').ended();
  begun.forward(origin, '/second');
  const endedAt = performance.now() + 1.25;
  begun.end(req, res, endedAt);
  await stop();
  const named = (name: string) => receiver.spans.find((span) => span.name === name) as ReceivedSpan;
  const [request, first, second] = [`GET ${route}`, 'GET /first', 'GET /second'].map(named);
  const sinceStart = (time = 0n) =>
    Number(time - BigInt(Math.round(performance.timeOrigin * 1_000)) * 1_000n) / 1e6 - startedAt;
  expect(sinceStart(request?.startedAt)).toBeCloseTo(0, 2);
  expect(sinceStart(request?.endedAt)).toBeCloseTo(endedAt - startedAt, 2);
  expect(sinceStart(first?.startedAt)).toBeGreaterThan(before - startedAt - 0.01);
  const times = [first?.startedAt, first?.endedAt, second?.startedAt, second?.endedAt].map(Number);
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  // A call without a recorded end ends with its request.
  expect(second?.endedAt).toBe(request?.endedAt);
});

test('unsampled requests are exported only if they or one of their calls failed', async () => {
  start(0);
  const { traceId } = traceRequest();
  const failed = exchange({ status: 503, requestId: 'failed' });
  traceRequest(failed);
  const cut = exchange({ requestId: 'cut' });
  recordFault(cut.res, Object.assign(new Error(), { code: 'ECONNRESET' }));
  traceRequest(cut);
  const retried = exchange({ requestId: 'retried' });
  const begun = begin(retried);
  const call = begun.forward(origin, route, 'POST');
  call.failed(new TypeError('an address'));
  begun.end(retried.req, retried.res, performance.now());
  expect(call.traceparent).toMatch(/-00$/);
  await stop();
  expect(receiver.spans.some((span) => span.traceId === traceId)).toBe(false);
  const found = receiver.spans.map(({ kind, name, failed: isFailed, attributes }) => [
    attributes['http.response.header.x-request-id'] ?? kind,
    name,
    isFailed,
    attributes['error.type'],
  ]);
  const get = `GET ${route}`;
  expect(found).toEqual([
    ['client', get, false, undefined],
    [['failed'], get, true, '503'],
    ['client', get, false, undefined],
    [['cut'], get, true, 'ECONNRESET'],
    ['client', `POST ${route}`, true, 'TypeError'],
    [['retried'], get, false, undefined],
  ]);
});

test('spans have the route, method, status and address of their own request', async () => {
  start(1);
  const cases: [Exchange, [string, number?][]][] = [
    [{}, [[origin, 200]]],
    [{ method: 'POST', status: 201 }, []],
    [{ route: null, status: 404 }, []],
    [{ method: 'BREW' }, [['https://quiz', 200], [origin]]],
    [{ secure: false, requestId: 'é'.repeat(100) }, []],
  ];
  for (const [described, calls] of cases) {
    const { req, res } = exchange(described);
    const begun = begin({ req, res });
    for (const [to, status] of calls) {
      const call = begun.forward(to, route);
      if (status) call.responded(status);
    }
    begun.end(req, res, performance.now());
  }
  await stop();
  const found = receiver.spans.map(({ kind, name, attributes }) => [
    kind,
    name,
    attributes['http.response.status_code'],
    attributes['url.scheme'] ?? attributes['url.full'],
    attributes['http.response.header.x-request-id'],
  ]);
  const get = 'GET /api/v3/courses/:id';
  const other = '_OTHER /api/v3/courses/:id';
  const url = 'courses:3002/api/v3/courses/:id';
  expect(found).toEqual([
    ['client', get, 200, `http://${url}`, undefined],
    ['server', get, 200, 'https', ['a request']],
    ['server', 'POST /api/v3/courses/:id', 201, 'https', ['a request']],
    ['server', 'GET', 404, 'https', ['a request']],
    ['client', other, 200, 'https://quiz/api/v3/courses/:id', undefined],
    ['client', other, undefined, `http://${url}`, undefined],
    ['server', other, 200, 'https', ['a request']],
    ['server', get, 200, 'http', ['é'.repeat(100)]],
  ]);
});

test('the scheme is http or https, whatever a client claims', async () => {
  start(1);
  for (const protocol of ['http', 'https', 'javascript']) {
    const { req, res } = exchange({ secure: protocol === 'https' });
    traceRequest({ req: Object.assign(req, { protocol }), res });
  }
  await stop();
  const schemes = receiver.spans.flatMap(({ attributes }) => attributes['url.scheme'] ?? []);
  expect(schemes).toEqual(['http', 'https', 'http']);
});

test('stopping exports the remaining traces', async () => {
  start(1);
  const traceIds = Array.from({ length: 300 }, () => traceRequest().traceId);
  await stop();
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set(traceIds));
  expect(warnings).toEqual([]);
});

test('spans that a hanging collector does not accept are dropped and reported, and later traces are exported', async () => {
  start(1);
  receiver.hang();
  const traceIds = Array.from({ length: 10_000 }, () => traceRequest().traceId);
  await receiver.resume();
  const isExported = (id: string) => receiver.spans.some(({ traceId }) => traceId === id);
  const later: string[] = [];
  await waitFor(() => {
    later.push(traceRequest().traceId);
    return later.some(isExported);
  });
  expect(warnings.filter((warning) => /Dropped \d+ spans/.test(warning))).not.toEqual([]);
  expect(isExported(traceIds.at(-1) ?? '')).toBe(false);
});

test('an unreachable collector is reported', async () => {
  await receiver.stop();
  start(1);
  traceRequest();
  await stop();
  expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED')]);
});
