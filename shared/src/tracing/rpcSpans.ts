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
import { activeSpan, continueFrom, errorTypeOf, failSpan, inChildSpan, inSpan, tracer } from './span.ts';

/** Returns a function that maps a method to its name in spans: `gradeway.courses.v1.CoursesService/CheckAccess`. */
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

/** Describes a call whose span is created later (requestTrace.ts). */
export const rpcClientSpan = (name: string, address: string) => ({
  name,
  attributes: { ...attributesOf(name), ...targetOf(address) },
});

/** Creates a client span for a call made by a traced operation. It includes retries. */
export function traceClientCall<T>(name: string, address: string, call: () => Promise<T>): Promise<T> {
  const options = { kind: SpanKind.CLIENT, attributes: attributesOf(name), errorType: statusOf };
  return inChildSpan(name, options, async (span) => {
    span?.setAttributes(targetOf(address));
    try {
      const response = await call();
      span?.setAttribute(ATTR_RPC_STATUS_CODE, 'OK');
      return response;
    } catch (error) {
      if (hasStatus(error)) span?.setAttribute(ATTR_RPC_STATUS_CODE, statusOf(error));
      throw error;
    }
  });
}

/** The span of a streaming call. */
export interface TracedStream {
  /** Adds the span's `traceparent` to the call metadata. */
  inject(metadata: Metadata): void;
  ended(error?: unknown): void;
}

const untraced: TracedStream = { inject() {}, ended() {} };

/** {@link traceClientCall} for a streaming call. The caller must report its end with `ended`. */
export function traceClientStream(name: string, address: string): TracedStream {
  if (!activeSpan()) return untraced;
  const attributes = { ...attributesOf(name), ...targetOf(address) };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  const at = trace.setSpan(context.active(), span);
  return {
    inject: (metadata) => context.with(at, injectTrace, undefined, metadata),
    ended(error) {
      if (error === undefined) span.setAttribute(ATTR_RPC_STATUS_CODE, 'OK');
      else if (hasStatus(error)) span.setAttribute(ATTR_RPC_STATUS_CODE, statusOf(error));
      if (error !== undefined) failSpan(span, statusOf(error));
      span.end();
    },
  };
}

function targetOf(address: string) {
  const [, host, port] = /([^/]+):(\d+)$/.exec(address) ?? [];
  return { [ATTR_SERVER_ADDRESS]: host, [ATTR_SERVER_PORT]: Number(port) };
}

// Errors without a status did not come from the server, for example those of an open circuit breaker.
const hasStatus = (error: unknown): error is { code: number } =>
  typeof (error as { code?: unknown }).code === 'number';

const statusOf = (error: unknown): string =>
  hasStatus(error) ? (status[error.code] ?? String(error.code)) : errorTypeOf(error);

/** Adds the current span's `traceparent` to the call metadata. */
export function injectTrace(metadata: Metadata): void {
  propagation.inject(context.active(), metadata, { set: (carrier, key, value) => carrier.set(key, value) });
}

// All other statuses mean that the request was invalid.
const serverFaults = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

/**
 * Runs `serve` in a server span if the caller sent a `traceparent`; calls from periodic tasks have none. `serve` sends
 * the response and returns its status.
 */
export async function traceServerCall(
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
