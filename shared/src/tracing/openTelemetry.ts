import { randomUUID } from 'node:crypto';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  createAlwaysRecordSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import type { Logger } from '../process/logger.ts';
import { KeepFailures } from './keepFailures.ts';

interface Options {
  /** Where a collector takes OTLP over HTTP; the traces go to `/v1/traces` below it. */
  endpoint: string;
  service: string;
  version: string;
  /** The part of the traces that begin here that is sent, from 0 to 1. */
  ratio: number;
  /** What the operator says of this process, over what we say. */
  resource: Record<string, string>;
  log: Logger;
}

// A collector that does not take spans costs this much memory and no request anything; then spans are dropped.
const queueSize = 4_096;
const batchSize = 512;
const batchEveryMs = 1_000;
const exportTimeoutMs = 3_000;

/** Starts the SDK for this process. Returns how to send what is left, and to end. */
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
  const chosen = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
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
    sampler: createAlwaysRecordSampler(chosen),
    spanProcessors: [new KeepFailures(batches)],
    // Logs go to stdout and metrics to /metrics; OpenTelemetry has the traces only.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

const minuteMs = 60_000;

// A collector that is away complains with every batch.
function oncePerMinute(log: Logger): DiagLogger {
  let quietUntil = 0;
  const complain = (message: string) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + minuteMs;
    log.warn({ problem: message.slice(0, 300) }, 'tracing: spans were lost, requests were not');
  };
  const silent = () => {};
  return { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
}
