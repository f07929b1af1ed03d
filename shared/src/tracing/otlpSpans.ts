import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import { PbfWriter } from 'pbf';
import { clientSpan, type NamedSpan, requestIdAttribute, serverSpan } from './httpAttributes.ts';
import { writeAttribute, writeAttributes } from './otlpAttributes.ts';
import type { Finished, FinishedCall, FinishedTrace } from './requestTrace.ts';

// Field numbers of OTLP's Span, as in test/support/otlp.proto.
const fields = {
  traceId: 1,
  spanId: 2,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  startTime: 7,
  endTime: 8,
  attributes: 9,
  status: 15,
  flags: 16,
};
const statusFields = { code: 3 };

// The second flag says that it is known whether the parent is in another process; a third would say that it is.
const flags = TraceFlags.SAMPLED | 0x100;

/** Writes the spans of a forwarded request, the request itself and its calls, as the repeated `field` of a message. */
export function writeSpans(field: number, trace: FinishedTrace, pbf: PbfWriter): void {
  const [traceId, spanId] = [bytesOf(trace.traceId), bytesOf(trace.spanId)];
  pbf.writeMessage(field, writeServerSpan, { trace, traceId, spanId });
  for (const call of trace.calls)
    pbf.writeMessage(field, writeClientSpan, { call, traceId, parentId: spanId });
}

const bytesOf = (id: string): Uint8Array => Buffer.from(id, 'hex');

interface ServerSpan {
  trace: FinishedTrace;
  traceId: Uint8Array;
  spanId: Uint8Array;
}

function writeServerSpan({ trace, traceId, spanId }: ServerSpan, pbf: PbfWriter): void {
  const { method, scheme, route, status, requestId } = trace.request;
  pbf.writeBytesField(fields.traceId, traceId);
  pbf.writeBytesField(fields.spanId, spanId);
  const { encoded } =
    served.find(route, method, status, scheme) ??
    served.add(route, {
      method,
      status,
      peer: scheme,
      encoded: encode(SpanKind.SERVER, serverSpan(trace.request)),
    });
  writeEncoded(encoded, pbf);
  writeAttribute(fields.attributes, requestIdAttribute(requestId), pbf);
  writeResult(trace, pbf);
}

interface ClientSpan {
  call: FinishedCall;
  traceId: Uint8Array;
  parentId: Uint8Array;
}

function writeClientSpan({ call, traceId, parentId }: ClientSpan, pbf: PbfWriter): void {
  const { method, origin, route, status } = call;
  pbf.writeBytesField(fields.traceId, traceId);
  pbf.writeBytesField(fields.spanId, bytesOf(call.spanId));
  pbf.writeBytesField(fields.parentSpanId, parentId);
  const { encoded } =
    sent.find(route, method, status, origin) ??
    sent.add(route, { method, status, peer: origin, encoded: encode(SpanKind.CLIENT, clientSpan(call)) });
  writeEncoded(encoded, pbf);
  writeResult(call, pbf);
}

function writeResult({ startedAt, endedAt, errorType }: Finished, pbf: PbfWriter): void {
  pbf.writeFixed64Field(fields.startTime, nanoseconds(startedAt));
  pbf.writeFixed64Field(fields.endTime, nanoseconds(endedAt));
  pbf.writeFixed32Field(fields.flags, flags);
  if (errorType === undefined) return;
  writeAttribute(fields.attributes, { key: ATTR_ERROR_TYPE, value: errorType }, pbf);
  pbf.writeMessage(fields.status, writeStatus, SpanStatusCode.ERROR);
}

// A number of this size is exact to a quarter of a microsecond, and so are the milliseconds.
const nanoseconds = (ms: number): number => ms * 1e6;

const writeStatus = (code: SpanStatusCode, pbf: PbfWriter): void =>
  pbf.writeVarintField(statusFields.code, code);

interface Description {
  method: string;
  status: number | undefined;
  /** The scheme of a request, or the origin of the service that received a call. */
  peer: string;
  encoded: Uint8Array;
}

/**
 * Caches the encoded names, kinds and most attributes of spans, which are most of their bytes. They depend only on the
 * route, the known method, the status, and the scheme or the service. Few combinations occur, and clients cannot add
 * any. A combined key would have to be hashed for each span.
 */
class Descriptions {
  readonly #ofRoutes = new Map<string | undefined, Description[]>();

  find(
    route: string | undefined,
    method: string,
    status: number | undefined,
    peer: string,
  ): Description | undefined {
    const known = this.#ofRoutes.get(route);
    return known?.find((each) => each.status === status && each.method === method && each.peer === peer);
  }

  add(route: string | undefined, description: Description): Description {
    const known = this.#ofRoutes.get(route);
    if (known) known.push(description);
    else this.#ofRoutes.set(route, [description]);
    return description;
  }
}

const served = new Descriptions();
const sent = new Descriptions();

function encode(kind: SpanKind, { name, attributes }: NamedSpan): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeStringField(fields.name, name);
  // OTLP's kinds begin with an unspecified one.
  pbf.writeVarintField(fields.kind, kind + 1);
  writeAttributes(fields.attributes, attributes, pbf);
  return pbf.finish();
}

function writeEncoded(bytes: Uint8Array, pbf: PbfWriter): void {
  pbf.realloc(bytes.length);
  pbf.buf.set(bytes, pbf.pos);
  pbf.pos += bytes.length;
}
