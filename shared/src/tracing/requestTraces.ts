import { ROOT_CONTEXT } from '@opentelemetry/api';
import { RandomIdGenerator, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { ExportThread } from './exportThread.ts';
import { beginTracesWith } from './requestTrace.ts';
import type { ExportSettings } from './spanExport.ts';

interface Options extends ExportSettings {
  /** Share of the traces that is sampled, from 0 to 1. */
  ratio: number;
}

/**
 * Traces requests with {@link beginRequestTrace}; a thread exports their spans. Calls `warn` while they cannot be exported.
 * Returns a function that exports the remaining spans and stops.
 */
export function startRequestTraces(
  { ratio, ...settings }: Options,
  warn: (problem: string) => void,
): () => Promise<void> {
  const ids = new RandomIdGenerator();
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const thread = new ExportThread(settings, warn);
  beginTracesWith({
    newTrace() {
      const traceId = ids.generateTraceId();
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId);
      return { traceId, isSampled: decision === SamplingDecision.RECORD_AND_SAMPLED };
    },
    newSpanId: () => ids.generateSpanId(),
    export: (trace) => thread.export(trace),
  });
  return () => thread.stop();
}
