import { randomUUID } from 'node:crypto';
import { type DiagLogger, DiagLogLevel, diag, ROOT_CONTEXT, SamplingDecision } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  createAlwaysRecordSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import type { Logger } from '../process/logger.ts';
import { FailedTraceProcessor } from './failedTraceProcessor.ts';
import { beginTracesWith, type TraceSource } from './requestTrace.ts';
import { tracer } from './span.ts';

interface Options {
  /** Base URL of an OTLP/HTTP collector; spans are sent to `/v1/traces` below it. */
  endpoint: string;
  service: string;
  version: string;
  /** Share of the traces beginning in this process that is sampled, from 0 to 1. */
  ratio: number;
  /** Additional resource attributes. They override the built-in ones. */
  resource: Record<string, string>;
  log: Logger;
}

// While the collector is unreachable, spans are queued up to this size and then dropped. Requests never wait for it.
const queueSize = 4_096;
const batchSize = 512;
const batchEveryMs = 1_000;
const exportTimeoutMs = 3_000;

/** Starts the OpenTelemetry SDK. Returns a function that exports the remaining spans and stops. */
export function startOpenTelemetry({
  endpoint,
  service,
  version,
  ratio,
  resource,
  log,
}: Options): () => Promise<void> {
  diag.setLogger(oncePerMinute(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: exportTimeoutMs });
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: queueSize,
    maxExportBatchSize: batchSize,
    scheduledDelayMillis: batchEveryMs,
    exportTimeoutMillis: exportTimeoutMs + 1_000,
  });
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const sampler = new ParentBasedSampler({ root: byRatio });
  const idGenerator = new ReservedIds();
  const described = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: service,
    [ATTR_SERVICE_NAMESPACE]: 'gradeway',
    [ATTR_SERVICE_VERSION]: version,
    [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
    ...resource,
  });
  const sdk = new NodeSDK({
    resource: defaultResource().merge(described),
    autoDetectResources: false,
    sampler: createAlwaysRecordSampler(sampler),
    idGenerator,
    spanProcessors: [new FailedTraceProcessor(batches)],
    // Only traces use OpenTelemetry: logs go to stdout, metrics to /metrics.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [],
  });
  sdk.start();
  beginTracesWith(traceSource(byRatio, idGenerator));
  return () => sdk.shutdown();
}

/** Generates random ids, unless ids are reserved for the next span. */
class ReservedIds extends RandomIdGenerator {
  reserved: { traceId: string; spanId: string } | undefined;

  override generateTraceId(): string {
    return this.reserved?.traceId ?? super.generateTraceId();
  }

  override generateSpanId(): string {
    return this.reserved?.spanId ?? super.generateSpanId();
  }
}

function traceSource(sampler: TraceIdRatioBasedSampler, ids: ReservedIds): TraceSource {
  return {
    newTrace() {
      const traceId = ids.generateTraceId();
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId);
      const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
      return { traceId, spanId: ids.generateSpanId(), isSampled };
    },
    newSpanId: () => ids.generateSpanId(),
    startSpan(reserved, name, options, parent) {
      ids.reserved = reserved;
      try {
        return tracer.startSpan(name, options, parent);
      } finally {
        ids.reserved = undefined;
      }
    },
  };
}

const minuteMs = 60_000;

// While the collector is unreachable, the SDK reports an error for every batch.
function oncePerMinute(log: Logger): DiagLogger {
  let quietUntil = 0;
  const warn = (message: string) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + minuteMs;
    log.warn({ problem: message.slice(0, 300) }, 'could not export spans; they are lost');
  };
  const silent = () => {};
  return { error: warn, warn, info: silent, debug: silent, verbose: silent };
}
