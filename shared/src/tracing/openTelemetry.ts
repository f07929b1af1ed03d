import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  createAlwaysRecordSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { FailedTraceProcessor } from './failedTraceProcessor.ts';
import { describeProcess, type ExportSettings, openSpanExport } from './spanExport.ts';

interface Options extends ExportSettings {
  /** Share of the traces that begin in this process to sample, from 0 to 1. */
  ratio: number;
}

/**
 * Starts the OpenTelemetry SDK. Calls `warn` while spans cannot be exported. Returns a function that exports the
 * remaining spans and shuts down.
 */
export function startOpenTelemetry(options: Options, warn: (problem: string) => void): () => Promise<void> {
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) });
  const sdk = new NodeSDK({
    resource: describeProcess(options),
    autoDetectResources: false,
    sampler: createAlwaysRecordSampler(sampler),
    spanProcessors: [new FailedTraceProcessor(openSpanExport(options, warn))],
    // OpenTelemetry handles only traces: logs go to stdout, metrics to /metrics.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}
