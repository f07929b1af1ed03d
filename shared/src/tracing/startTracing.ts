import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../process/logger.ts';

export interface TracingConfig {
  traceEndpoint: string | undefined;
  traceRatio: number;
  traceServiceName: string | undefined;
  traceResource: Record<string, string>;
}

const longestFlushMs = 4_000;

/**
 * Starts tracing, if there is somewhere to send traces to; otherwise nothing of it is even loaded. Returns how to end:
 * what is left is sent, as far as that takes no longer than four seconds.
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
    await Promise.race([stop().catch(() => {}), sleep(longestFlushMs)]);
  };
}

// Of the package whose main.ts this process runs.
async function version(): Promise<string> {
  const main = pathToFileURL(process.argv[1] ?? '');
  const text = await readFile(new URL('../package.json', main), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { version?: string }).version ?? 'unknown';
}
