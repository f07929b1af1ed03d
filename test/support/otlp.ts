/** A span as it came over OTLP. Ids are hexadecimal, times in nanoseconds since the epoch. */
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

export type Attributes = Record<string, unknown>;

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/*
 * ExportTraceServiceRequest of https://github.com/open-telemetry/opentelemetry-proto, read by field numbers: what
 * comes over the wire, not what a library of the sender makes of it.
 */
export function readExportRequest(body: Buffer): ReceivedSpan[] {
  return readMessage(body)
    .messages(1)
    .flatMap((resourceSpans) => {
      const resource = readAttributes(resourceSpans.messages(1)[0]?.messages(1) ?? []);
      const spans = resourceSpans.messages(2).flatMap((scopeSpans) => scopeSpans.messages(2));
      return spans.map((span) => readSpan(span, resource));
    });
}

function readSpan(span: Message, resource: Attributes): ReceivedSpan {
  const status = span.messages(15)[0];
  return {
    traceId: span.hex(1) ?? '',
    spanId: span.hex(2) ?? '',
    parentId: span.hex(4) || undefined,
    name: span.text(5) ?? '',
    kind: kinds[Number(span.number(6) ?? 0)] ?? 'internal',
    startedAt: span.number(7) ?? 0n,
    endedAt: span.number(8) ?? 0n,
    attributes: readAttributes(span.messages(9)),
    failed: status?.number(3) === 2n,
    statusMessage: status?.text(2) ?? '',
    events: span.messages(11).map((event) => ({
      name: event.text(2) ?? '',
      attributes: readAttributes(event.messages(3)),
    })),
    resource,
  };
}

const readAttributes = (pairs: Message[]): Attributes =>
  Object.fromEntries(pairs.map((pair) => [pair.text(1) ?? '', readValue(pair.messages(2)[0])]));

function readValue(value: Message | undefined): unknown {
  if (!value) return undefined;
  if (value.has(1)) return value.text(1);
  if (value.has(2)) return value.number(2) === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, value.number(3) ?? 0n));
  if (value.has(4)) return value.double(4);
  if (value.has(5)) return value.messages(5)[0]?.messages(1).map(readValue);
  return undefined;
}

interface Message {
  has(field: number): boolean;
  number(field: number): bigint | undefined;
  double(field: number): number | undefined;
  text(field: number): string | undefined;
  hex(field: number): string | undefined;
  messages(field: number): Message[];
}

/** The wire format of protobuf: fields by number, of four types. */
function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readers: Record<number, () => bigint | Buffer> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read = readers[tag & 7];
    if (!read) throw new Error(`not protobuf: wire type ${tag & 7}`);
    const field = tag >> 3;
    fields.set(field, [...(fields.get(field) ?? []), read()]);
  }
  const numberOf = (field: number) => fields.get(field)?.[0] as bigint | undefined;
  const bytesOf = (field: number) => fields.get(field)?.[0] as Buffer | undefined;
  return {
    has: (field) => fields.has(field),
    number: numberOf,
    double: (field) => {
      const bits = numberOf(field);
      return bits === undefined ? undefined : new Float64Array(new BigUint64Array([bits]).buffer)[0];
    },
    text: (field) => bytesOf(field)?.toString('utf8'),
    hex: (field) => bytesOf(field)?.toString('hex'),
    messages: (field) => (fields.get(field) ?? []).map((each) => readMessage(each as Buffer)),
  };
}
