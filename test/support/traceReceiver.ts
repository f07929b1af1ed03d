import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReceivedSpan, readExportRequest } from './otlp.ts';
import { waitFor } from './waitFor.ts';

export interface TraceReceiver {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  /** All received spans, in order of arrival. */
  spans: ReceivedSpan[];
  /** Waits until `select` returns a result and no more spans arrive; returns the result. */
  find<T>(select: (spans: ReceivedSpan[]) => T | undefined): Promise<T>;
  /** Accepts exports without responding, until `resume`. */
  hang(): void;
  /** Refuses connections, until `resume`. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

// Longer than a process batches spans before it exports them.
const quietMs = 1_500;

/** Starts a trace collector: OTLP over HTTP, in protobuf. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let lastAt = 0;
  let hangs = false;
  const server = createServer(async (req, res) => {
    const body = await buffer(req);
    if (hangs) return;
    if (req.url !== '/v1/traces' || req.headers['content-type'] !== 'application/x-protobuf') {
      res.writeHead(415).end();
      return;
    }
    spans.push(...readExportRequest(body));
    lastAt = Date.now();
    res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    stop,
    hang() {
      hangs = true;
    },
    async resume() {
      hangs = false;
      if (!server.listening) await listen(port);
    },
    async find(select) {
      await waitFor(() => select(spans) !== undefined && Date.now() - lastAt > quietMs);
      return select(spans) as NonNullable<ReturnType<typeof select>>;
    },
    async close() {
      if (server.listening) await stop();
    },
  };
}

export const serviceOf = (span: ReceivedSpan): string => String(span.resource['service.name']);

/** Formats a trace as a tree: each span below its parent, with service, kind and duration. */
export function drawTrace(spans: ReceivedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const childrenOf = (id: string | undefined) =>
    spans
      .filter(({ parentId }) => (id === undefined ? !parentId || !known.has(parentId) : parentId === id))
      .toSorted((a, b) => Number(a.startedAt - b.startedAt));
  const lines = (id: string | undefined, indent: string): string[] =>
    childrenOf(id).flatMap((span) => {
      const ms = (Number(span.endedAt - span.startedAt) / 1e6).toFixed(1);
      const line = `${indent}${serviceOf(span)}  ${span.kind}  ${span.name}  ${ms} ms${span.failed ? '  FAILED' : ''}`;
      return [line, ...lines(span.spanId, `${indent}  `)];
    });
  return lines(undefined, '').join('\n');
}
