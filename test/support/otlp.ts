import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

export type Attributes = Record<string, unknown>;

/** A span as received over OTLP. Ids are hexadecimal, times nanoseconds since the epoch. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  startedAt: bigint;
  endedAt: bigint;
  attributes: Attributes;
  failed: boolean;
  statusMessage: string;
  events: { name: string; attributes: Attributes }[];
  resource: Attributes;
}

interface WireValue {
  value?: 'stringValue' | 'boolValue' | 'intValue' | 'doubleValue' | 'arrayValue';
  [member: string]: unknown;
}

interface WireAttribute {
  key: string;
  value?: WireValue;
}

interface WireSpan {
  traceId: Buffer;
  spanId: Buffer;
  parentSpanId: Buffer;
  name: string;
  kind: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: WireAttribute[];
  events: { name: string; attributes: WireAttribute[] }[];
  status?: { code: string; message: string };
}

interface WireRequest {
  resourceSpans: { resource?: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

const schema = fileURLToPath(new URL('./otlp.proto', import.meta.url));
const requestType = protobuf.loadSync(schema).lookupType('ExportTraceServiceRequest');

/** Decodes the body of an export request. */
export function readExportRequest(body: Buffer): ReceivedSpan[] {
  const options = { longs: String, enums: String, defaults: true, arrays: true, oneofs: true };
  const { resourceSpans } = requestType.toObject(requestType.decode(body), options) as WireRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const attributes = readAttributes(resource?.attributes ?? []);
    return scopeSpans.flatMap(({ spans }) => spans).map((span) => readSpan(span, attributes));
  });
}

function readSpan(span: WireSpan, resource: Attributes): ReceivedSpan {
  return {
    traceId: span.traceId.toString('hex'),
    spanId: span.spanId.toString('hex'),
    parentId: span.parentSpanId.toString('hex') || undefined,
    name: span.name,
    kind: span.kind.replace('SPAN_KIND_', '').toLowerCase() as ReceivedSpan['kind'],
    startedAt: BigInt(span.startTimeUnixNano),
    endedAt: BigInt(span.endTimeUnixNano),
    attributes: readAttributes(span.attributes),
    failed: span.status?.code === 'STATUS_CODE_ERROR',
    statusMessage: span.status?.message ?? '',
    events: span.events.map(({ name, attributes }) => ({ name, attributes: readAttributes(attributes) })),
    resource,
  };
}

const readAttributes = (pairs: WireAttribute[]): Attributes =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]));

function readValue(wire: WireValue | undefined): unknown {
  if (!wire?.value) return undefined;
  const member = wire[wire.value];
  if (wire.value === 'intValue') return Number(member);
  return wire.value === 'arrayValue' ? (member as { values: WireValue[] }).values.map(readValue) : member;
}
