import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceivedSpan, readExportRequest } from './otlp.ts';
import { waitFor } from './waitFor.ts';

export interface TraceReceiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  endpoint: string;
  /** Everything that came, in its order. */
  spans: ReceivedSpan[];
  /** Waits until `ask` finds what it looks for, and until nothing more has come for a moment; returns it. */
  find<T>(ask: (spans: ReceivedSpan[]) => T | undefined): Promise<T>;
  close(): Promise<void>;
}

// Longer than processes collect spans before they send them.
const quietMs = 1_500;

/** Receives traces as a collector does: OTLP over HTTP, in protobuf. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let lastAt = 0;
  const server = createServer(async (req, res) => {
    const body = await readBody(req);
    if (req.url !== '/v1/traces' || req.headers['content-type'] !== 'application/x-protobuf') {
      res.writeHead(415).end();
      return;
    }
    spans.push(...readExportRequest(body));
    lastAt = Date.now();
    res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async find(ask) {
      await waitFor(() => ask(spans) !== undefined && Date.now() - lastAt > quietMs, 20_000);
      return ask(spans) as NonNullable<ReturnType<typeof ask>>;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export const serviceOf = (span: ReceivedSpan): string => String(span.resource['service.name']);

/** A trace for people to read: each span below its caller, with its service, kind and duration. */
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
