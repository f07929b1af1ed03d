import { ROOT_CONTEXT } from '@opentelemetry/api';
import { RandomIdGenerator, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { RequestExport } from './requestExport.ts';
import { beginTracesWith } from './requestTrace.ts';
import type { ExportSettings } from './spanExport.ts';

interface Options extends ExportSettings {
  /** Share of the traces to sample, from 0 to 1. */
  ratio: number;
}

/**
 * Traces requests with {@link beginRequestTrace}; spans are created on export. Calls `warn` while they cannot be
 * exported. Returns a function that exports the remaining spans and stops.
 */
export function startRequestTraces(
  { ratio, ...settings }: Options,
  warn: (problem: string) => void,
): () => Promise<void> {
  const ids = new RandomIdGenerator();
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const requests = new RequestExport(settings, warn);
  beginTracesWith({
    newTrace() {
      const traceId = ids.generateTraceId();
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId);
      return { traceId, isSampled: decision === SamplingDecision.RECORD_AND_SAMPLED };
    },
    newSpanId: () => ids.generateSpanId(),
    export: (trace) => requests.export(trace),
  });
  return () => requests.stop();
}
