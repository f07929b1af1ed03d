import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, type ConfigOf, readSettings, type Settings } from '../config/readConfig.ts';
import { measureReadiness } from '../metrics/readiness.ts';
import { labelMetrics } from '../metrics/registry.ts';
import { startTracing, type TracingConfig } from '../tracing/startTracing.ts';
import { Health } from './health.ts';
import { createLogger, type Logger } from './logger.ts';

interface ProcessConfig extends TracingConfig {
  logLevel: string;
  shutdownDelay: number;
  shutdownTimeout: number;
}

export interface ProcessContext<Config> {
  config: Config;
  log: Logger;
  health: Health;
  /** What to do at the end, in the reverse order of the calls: what was started last stops first. */
  onStop(what: string, stop: () => unknown): void;
}

/**
 * Runs one process from its configuration to its end. `start` brings it up, top to bottom; SIGTERM, SIGINT or
 * the end of the parent that holds an IPC channel take it down: not ready, `SHUTDOWN_DELAY` for everybody to
 * notice, then everything in reverse. Exit code 0 after that; 1, with one clear line, when it cannot start.
 */
export async function runProcess<S extends Settings>(
  name: string,
  settings: S,
  start: (context: ProcessContext<ConfigOf<S>>) => Promise<void>,
): Promise<void> {
  const config = configOrExit(name, settings);
  const processConfig = config as unknown as ProcessConfig;
  const { logLevel, shutdownDelay, shutdownTimeout } = processConfig;
  const log = createLogger(name, logLevel);
  const health = new Health();
  const open = new AsyncDisposableStack();
  const stopRequested = stopSignal();
  let started = false;
  health.addCheck('start', () => started);
  labelMetrics(name);
  measureReadiness(health);
  exitOnStrayErrors(log);

  const onStop = (what: string, stop: () => unknown) =>
    open.defer(async () => {
      try {
        await stop();
      } catch (error) {
        log.warn({ err: error }, `could not stop ${what} in order`);
      }
    });

  // Ends last, when everything has been done that is to be traced.
  onStop('tracing', await startTracing(name, processConfig, log));
  try {
    await start({ config, log, health, onStop });
  } catch (error) {
    log.fatal({ err: error }, `${name} cannot start: ${(error as Error).message}`);
    await Promise.race([open.disposeAsync(), sleep(2_000)]);
    process.exit(1);
  }
  started = true;
  log.info('started');

  const reason = await stopRequested;
  log.info({ reason }, 'stopping');
  setTimeout(() => {
    log.error('stopping took too long, ending now');
    process.exit(1);
  }, shutdownDelay + shutdownTimeout).unref();
  health.drain();
  await sleep(shutdownDelay);
  await open.disposeAsync();
  log.info('stopped');
  process.exit(0);
}

function configOrExit<S extends Settings>(name: string, settings: S): ConfigOf<S> {
  try {
    return readSettings(settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name} cannot start: ${error.message}\n`);
    process.exit(1);
  }
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // Under `npm start` the parent may be killed without a word; nobody would ever stop us then.
    process.on('disconnect', () => resolve('parent ended'));
  });
}

// A process whose state nobody understands any more ends and is started anew.
function exitOnStrayErrors(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
}
