import { randomUUID } from 'node:crypto';
import { type DiagLogger, DiagLogLevel, diag, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  createAlwaysRecordSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import { FailedTraceProcessor } from './failedTraceProcessor.ts';
import { PresetIds } from './presetIds.ts';
import { beginTracesWith } from './requestTrace.ts';
import { scopeName } from './span.ts';

interface Options {
  /** Base URL of an OTLP/HTTP collector. Spans are sent to `/v1/traces` below it. */
  endpoint: string;
  service: string;
  version: string;
  /** Additional resource attributes. They override the built-in ones. */
  resource: Record<string, string>;
  /** The fraction of the traces beginning in this process that are sampled, from 0 to 1. */
  ratio: number;
}

// While the collector is unreachable, spans are queued up to this size and then dropped. Requests never wait for it.
const queueSize = 8_192;
const batchSize = 512;
const batchEveryMs = 1_000;
/** The timeout of an export, including retries. */
const exportTimeoutMs = 3_000;

/**
 * Starts the OpenTelemetry SDK. Calls `warn` while spans cannot be exported. Returns a function that exports the
 * remaining spans and shuts down.
 */
export function startOpenTelemetry(options: Options, warn: (problem: string) => void): () => Promise<void> {
  reportProblems(warn);
  const ids = new PresetIds();
  const sampler = new TraceIdRatioBasedSampler(options.ratio);
  const sdk = new NodeSDK({
    resource: describeProcess(options),
    autoDetectResources: false,
    idGenerator: ids,
    sampler: createAlwaysRecordSampler(new ParentBasedSampler({ root: sampler })),
    spanProcessors: [new FailedTraceProcessor(exportInBatches(options.endpoint))],
    // OpenTelemetry handles only traces: logs go to stdout, metrics to /metrics.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [],
  });
  sdk.start();
  const tracer = trace.getTracer(scopeName);
  beginTracesWith({
    newTrace() {
      const traceId = ids.generateTraceId();
      // Depends only on the trace id. The SDK therefore decides the same when it creates the spans.
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId);
      return { traceId, isSampled: decision === SamplingDecision.RECORD_AND_SAMPLED };
    },
    newSpanId: () => ids.generateSpanId(),
    createSpan: (spanIds, name, spanOptions, parent) =>
      ids.createSpan(spanIds, () => tracer.startSpan(name, spanOptions, parent)),
  });
  return () => sdk.shutdown().catch((error: Error) => warn(error.message));
}

/** Exports ended spans in batches, within a second. */
function exportInBatches(endpoint: string): BatchSpanProcessor {
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: exportTimeoutMs }),
    maxQueueSize: queueSize,
    maxExportBatchSize: batchSize,
    scheduledDelayMillis: batchEveryMs,
    exportTimeoutMillis: exportTimeoutMs + 1_000,
  });
}

/** Describes this process in the spans that it exports. */
function describeProcess({ service, version, resource }: Options): Resource {
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
function reportProblems(warn: (problem: string) => void): void {
  const report = (message: string) => warn(message.slice(0, 300));
  const silent = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
