import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import pTimeout from 'p-timeout';
import type { Logger } from '../process/logger.ts';

export interface TracingConfig {
  traceEndpoint: string | undefined;
  traceRatio: number;
  traceServiceName: string | undefined;
  traceResource: Record<string, string>;
}

const maxFlushMs = 4_000;

/**
 * Starts tracing if an endpoint is configured; without one the OpenTelemetry SDK is not even loaded. Returns a function
 * that exports the remaining spans, for up to four seconds, and stops.
 */
export async function startTracing(
  name: string,
  { traceEndpoint: endpoint, traceRatio: ratio, traceServiceName, traceResource: resource }: TracingConfig,
  log: Logger,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  const { startOpenTelemetry } = await import('./openTelemetry.ts');
  const service = traceServiceName ?? name;
  const stop = startOpenTelemetry({ endpoint, service, version: await version(), ratio, resource, log });
  return async () => {
    await pTimeout(stop(), { milliseconds: maxFlushMs, message: false }).catch(() => {});
  };
}

// The version of the package whose main.ts this process runs.
async function version(): Promise<string> {
  const main = pathToFileURL(process.argv[1] ?? '');
  const text = await readFile(new URL('../package.json', main), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { version?: string }).version ?? 'unknown';
}
