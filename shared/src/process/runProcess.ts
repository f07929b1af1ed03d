import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import {
  ConfigError,
  type ConfigOf,
  invalidConfigurationCode,
  readConfig,
  type Settings,
} from '../config/readConfig.ts';
import { labelMetrics } from '../metrics/registry.ts';
import { startTracing, type TracingConfig } from '../tracing/startTracing.ts';
import { collectGarbage } from '../v8/collectGarbage.ts';
import { tuneGarbageCollection } from '../v8/tuneGarbageCollection.ts';
import { Health } from './health.ts';
import { createLogger, type Logger } from './logger.ts';
import { measureReadiness } from './readinessMetrics.ts';

interface ProcessConfig extends TracingConfig {
  logLevel: string;
  shutdownDelay: number;
  shutdownTimeout: number;
}

/** The context passed to the start function of a process. */
export interface ProcessContext<Config> {
  config: Config;
  log: Logger;
  health: Health;
  /** Registers a cleanup for shutdown. Cleanups run in the reverse order of their registration. */
  onStop(name: string, stop: () => unknown): void;
  /** False once everything has started. */
  isStarting(): boolean;
}

/**
 * Runs one process from its configuration to its exit. `start` starts all of its parts.
 *
 * SIGTERM, SIGINT or the end of a parent with an IPC channel shuts it down. The process becomes not ready, continues to
 * serve for `SHUTDOWN_DELAY` and then runs its cleanups. A process that is still starting, for example waiting for its
 * database, runs them immediately. The exit code is 0. If the process cannot start, the exit code is 1, or 78 for an
 * invalid setting, and one line is logged with the reason.
 */
export async function runProcess<S extends Settings>(
  name: string,
  settings: S,
  start: (context: ProcessContext<ConfigOf<S>>) => Promise<void>,
): Promise<void> {
  tuneGarbageCollection();
  const config = readConfigOrExit(name, settings);
  const processConfig = config as unknown as ProcessConfig;
  const { logLevel, shutdownDelay, shutdownTimeout } = processConfig;
  const log = createLogger(name, logLevel);
  const health = new Health();
  const cleanups = new AsyncDisposableStack();
  const stopRequested = stopSignal();
  let started = false;
  health.addCheck('start', () => started);
  labelMetrics(name);
  measureReadiness(health);
  exitOnUncaughtErrors(log);

  const onStop = (cleanup: string, stop: () => unknown) =>
    cleanups.defer(async () => {
      try {
        await stop();
      } catch (error) {
        log.warn({ err: error, cleanup }, 'cleanup failed');
      }
    });

  // Registered first, so that the spans of all other cleanups are still exported.
  onStop('tracing', await startTracing(name, processConfig, log));
  const endBeforeStart = async (exitCode: number) => {
    await pTimeout(cleanups.disposeAsync(), { milliseconds: 2_000, message: false });
    process.exit(exitCode);
  };
  try {
    const stopped = await Promise.race([
      start({ config, log, health, onStop, isStarting: () => !started }),
      stopRequested,
    ]);
    if (stopped) {
      log.info({ reason: stopped }, 'stopped before its start was complete');
      await endBeforeStart(0);
    }
  } catch (error) {
    if (error instanceof ConfigError) reportConfigError(name, error);
    else log.fatal({ err: error }, 'cannot start');
    await endBeforeStart(error instanceof ConfigError ? invalidConfigurationCode : 1);
  }
  // Frees a third of the memory after the start: module sources, and memory used to load them.
  collectGarbage();
  started = true;
  log.info('started');

  const reason = await stopRequested;
  log.info({ reason }, 'stopping');
  setTimeout(() => {
    log.error('shutdown timed out; exiting');
    process.exit(1);
  }, shutdownDelay + shutdownTimeout).unref();
  health.drain();
  await sleep(shutdownDelay);
  await cleanups.disposeAsync();
  log.info('stopped');
  process.exit(0);
}

function readConfigOrExit<S extends Settings>(name: string, settings: S): ConfigOf<S> {
  try {
    return readConfig(settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    reportConfigError(name, error);
    process.exit(invalidConfigurationCode);
  }
}

function reportConfigError(name: string, error: ConfigError): void {
  process.stderr.write(`${name} cannot start: ${error.message}\n`);
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    // Under `npm start`, a killed parent sends its children no signal, but the IPC channel closes.
    process.on('disconnect', () => resolve('parent ended'));
  });
}

// After an uncaught error the state of the process is unknown, so it exits for its supervisor to restart it.
function exitOnUncaughtErrors(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
}
