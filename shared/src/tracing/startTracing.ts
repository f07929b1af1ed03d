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
 * Starts tracing if an endpoint is configured; without one, OpenTelemetry is not even loaded. Returns a function that
 * exports the remaining spans for up to four seconds and stops.
 */
export async function startTracing(
  name: string,
  { traceEndpoint: endpoint, traceRatio: ratio, traceServiceName, traceResource: resource }: TracingConfig,
  log: Logger,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  const warn = oncePerMinute((problem) => log.warn({ problem }, 'could not export spans; they are lost'));
  const options = { endpoint, service: traceServiceName ?? name, version: await version(), ratio, resource };
  const { startOpenTelemetry } = await import('./openTelemetry.ts');
  const stop = startOpenTelemetry(options, warn);
  return async () => {
    await pTimeout(stop(), { milliseconds: maxFlushMs, message: false });
  };
}

const minuteMs = 60_000;

function oncePerMinute(report: (problem: string) => void): (problem: string) => void {
  let quietUntil = 0;
  return (problem) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + minuteMs;
    report(problem);
  };
}

// The version of the package whose main.ts this process runs.
async function version(): Promise<string> {
  const main = pathToFileURL(process.argv[1] ?? '');
  const text = await readFile(new URL('../package.json', main), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { version?: string }).version ?? 'unknown';
}
