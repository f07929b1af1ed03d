import { type Metadata, type ServiceDefinition, status } from '@grpc/grpc-js';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import {
  ATTR_RPC_METHOD,
  ATTR_RPC_STATUS_CODE,
  ATTR_RPC_SYSTEM_NAME,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  RPC_SYSTEM_NAME_VALUE_GRPC,
} from '@opentelemetry/semantic-conventions';
import { activeSpan, continueFrom, failSpan, inChildSpan, inSpan, kindOfError, tracer } from './span.ts';

/** The names of a service's RPCs as traces have them (`gradeway.courses.v1.CoursesService/CheckAccess`), by method. */
export function rpcNames(definition: ServiceDefinition): (method: string) => string {
  const names = new Map<string, string>();
  for (const [method, { path, originalName }] of Object.entries(definition)) {
    names.set(method, path.slice(1));
    if (originalName) names.set(originalName, path.slice(1));
  }
  return (method) => names.get(method) ?? '_OTHER';
}

const attributesOf = (name: string) => ({
  [ATTR_RPC_SYSTEM_NAME]: RPC_SYSTEM_NAME_VALUE_GRPC,
  [ATTR_RPC_METHOD]: name,
});

/** A span for a call that is made for something traced, its repetitions included. */
export function traceCall<T>(name: string, address: string, call: () => Promise<T>): Promise<T> {
  const options = { kind: SpanKind.CLIENT, attributes: attributesOf(name), kindOf: statusOf };
  return inChildSpan(name, options, async (span) => {
    span?.setAttributes(placeOf(address));
    try {
      const answer = await call();
      span?.setAttribute(ATTR_RPC_STATUS_CODE, 'OK');
      return answer;
    } catch (error) {
      if (hasStatus(error)) span?.setAttribute(ATTR_RPC_STATUS_CODE, statusOf(error));
      throw error;
    }
  });
}

/** A call whose answer is a stream, which is read outside of this. */
export interface TracedStream {
  /** The call's own metadata get its place in the trace. */
  send(metadata: Metadata): void;
  ended(error?: unknown): void;
}

const untraced: TracedStream = { send() {}, ended() {} };

/** The same for a call that is answered with a stream. What it returns must be told of the end. */
export function traceStream(name: string, address: string): TracedStream {
  if (!activeSpan()) return untraced;
  const attributes = { ...attributesOf(name), ...placeOf(address) };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  const at = trace.setSpan(context.active(), span);
  return {
    send: (metadata) => context.with(at, sendTrace, undefined, metadata),
    ended(error) {
      if (error === undefined) span.setAttribute(ATTR_RPC_STATUS_CODE, 'OK');
      else if (hasStatus(error)) span.setAttribute(ATTR_RPC_STATUS_CODE, statusOf(error));
      if (error !== undefined) failSpan(span, statusOf(error));
      span.end();
    },
  };
}

function placeOf(address: string) {
  const [, host, port] = /([^/]+):(\d+)$/.exec(address) ?? [];
  return { [ATTR_SERVER_ADDRESS]: host, [ATTR_SERVER_PORT]: Number(port) };
}

// What has none came from this side: a breaker that let nothing through, for instance.
const hasStatus = (error: unknown): error is { code: number } =>
  typeof (error as { code?: unknown }).code === 'number';

const statusOf = (error: unknown): string =>
  hasStatus(error) ? (status[error.code] ?? String(error.code)) : kindOfError(error);

/** Sends the present place in the trace along with a call. */
export function sendTrace(metadata: Metadata): void {
  propagation.inject(context.active(), metadata, { set: (carrier, key, value) => carrier.set(key, value) });
}

// The other codes say that the caller asked for something that is not to be had.
const serverFaults = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

/**
 * A span for a call that is served, where its caller traces it: what pollers ask every second is not. `serve`
 * answers the call itself and returns the status that it answered.
 */
export async function traceServed(
  name: string,
  metadata: Metadata,
  serve: () => Promise<status>,
): Promise<void> {
  const [sent] = metadata.get('traceparent');
  if (typeof sent !== 'string') {
    await serve();
    return;
  }
  const options = {
    kind: SpanKind.SERVER,
    attributes: attributesOf(name),
    parent: continueFrom(sent),
  };
  await inSpan(name, options, async (span) => {
    const code = await serve();
    const codeName = status[code] ?? String(code);
    span.setAttribute(ATTR_RPC_STATUS_CODE, codeName);
    if (serverFaults.has(code)) failSpan(span, codeName);
  });
}
