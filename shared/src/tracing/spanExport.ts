import { randomUUID } from 'node:crypto';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';

export interface ExportSettings {
  /** Base URL of an OTLP/HTTP collector. Spans are sent to `/v1/traces` below it. */
  endpoint: string;
  service: string;
  version: string;
  /** Additional resource attributes. They override the built-in ones. */
  resource: Record<string, string>;
}

// While the collector is unreachable, spans are queued up to this size and then dropped. Requests never wait for it.
const queueSize = 4_096;
const batchSize = 512;
const batchEveryMs = 1_000;
/** The timeout of an export, including retries. */
export const exportTimeoutMs = 3_000;

/** The URL for traces below a collector's base URL. */
export const tracesUrl = (endpoint: string): string => `${endpoint}/v1/traces`;

/** Exports ended spans in batches, within a second. Calls `warn` for every batch that cannot be exported. */
export function openSpanExport(
  { endpoint }: ExportSettings,
  warn: (problem: string) => void,
): BatchSpanProcessor {
  reportProblems(warn);
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: exportTimeoutMs }),
    maxQueueSize: queueSize,
    maxExportBatchSize: batchSize,
    scheduledDelayMillis: batchEveryMs,
    exportTimeoutMillis: exportTimeoutMs + 1_000,
  });
}

/** Describes this process in the spans that it exports. */
export function describeProcess({ service, version, resource }: ExportSettings): Resource {
  const described = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: service,
    [ATTR_SERVICE_NAMESPACE]: 'gradeway',
    [ATTR_SERVICE_VERSION]: version,
    [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
    ...resource,
  });
  return defaultResource().merge(described);
}

/** Calls `warn` for OpenTelemetry's own warnings and errors. The SDK logs one for every batch it could not export. */
export function reportProblems(warn: (problem: string) => void): void {
  const report = (message: string) => warn(message.slice(0, 300));
  const silent = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
