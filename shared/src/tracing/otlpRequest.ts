import { PbfWriter } from 'pbf';
import { writeAttributes } from './otlpAttributes.ts';
import { writeSpans } from './otlpSpans.ts';
import type { FinishedTrace } from './requestTrace.ts';
import { scopeName } from './span.ts';

/*
 * An ExportTraceServiceRequest with one ResourceSpans that contains one ScopeSpans. The numbers are OTLP's field
 * numbers, as in test/support/otlp.proto.
 */
const requestFields = { resourceSpans: 1 };
const resourceSpansFields = { resource: 1, scopeSpans: 2 };
const resourceFields = { attributes: 1 };
const scopeSpansFields = { scope: 1, spans: 2 };
const scopeFields = { name: 1 };

/** The body of an OTLP export request. The spans of requests are added to it one trace after another. */
export class OtlpRequest {
  readonly #resource: Attributes;
  readonly #scopeSpans: PbfWriter;
  readonly #emptySize: number;

  /** `resource` describes the process. `capacity` is the number of bytes to reserve. */
  constructor(resource: Attributes, capacity: number) {
    this.#resource = resource;
    this.#scopeSpans = new PbfWriter(new Uint8Array(capacity));
    this.#scopeSpans.writeMessage(scopeSpansFields.scope, writeScope, scopeName);
    this.#emptySize = this.#scopeSpans.pos;
  }

  get isEmpty(): boolean {
    return this.#scopeSpans.pos === this.#emptySize;
  }

  /** The size of the spans, in bytes. */
  get size(): number {
    return this.#scopeSpans.pos;
  }

  /** Adds the spans of a forwarded request: the request itself and its calls. */
  add(trace: FinishedTrace): void {
    writeSpans(scopeSpansFields.spans, trace, this.#scopeSpans);
  }

  /** Returns the encoded body and starts a new one. */
  take(): Uint8Array {
    const { buf, pos } = this.#scopeSpans;
    const body = new PbfWriter(new Uint8Array(pos + 2_048));
    const content = { resource: this.#resource, scopeSpans: buf.subarray(0, pos) };
    body.writeMessage(requestFields.resourceSpans, writeResourceSpans, content);
    this.#scopeSpans.pos = this.#emptySize;
    return body.finish();
  }
}

type Attributes = Record<string, unknown>;

interface ResourceSpans {
  resource: Attributes;
  /** The encoded ScopeSpans. */
  scopeSpans: Uint8Array;
}

function writeResourceSpans({ resource, scopeSpans }: ResourceSpans, pbf: PbfWriter): void {
  pbf.writeMessage(resourceSpansFields.resource, writeResource, resource);
  pbf.writeBytesField(resourceSpansFields.scopeSpans, scopeSpans);
}

const writeResource = (attributes: Attributes, pbf: PbfWriter): void =>
  writeAttributes(resourceFields.attributes, attributes, pbf);

const writeScope = (name: string, pbf: PbfWriter): void => pbf.writeStringField(scopeFields.name, name);
