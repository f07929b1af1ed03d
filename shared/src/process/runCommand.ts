import { ConfigError, type ConfigOf, readConfig, type Settings } from '../config/readConfig.ts';
import { createLogger, type Logger } from './logger.ts';

export interface CommandContext<Config> {
  config: Config;
  log: Logger;
  /** Registers a cleanup. Cleanups run in reverse order after the command. */
  onStop(name: string, stop: () => unknown): void;
}

/**
 * Runs a maintenance command with a service's configuration and exits. `work` returns the text to print. The exit code
 * is 0, or 1 if the command fails, with one line on stderr.
 */
export async function runCommand<S extends Settings>(
  name: string,
  settings: S,
  work: (context: CommandContext<ConfigOf<S>>) => Promise<string>,
): Promise<void> {
  const cleanups = new AsyncDisposableStack();
  let code = 0;
  try {
    const config = readConfig(settings, process.env);
    const log = createLogger(name, 'warn');
    const line = await work({
      config,
      log,
      onStop: (_name, stop) => cleanups.defer(async () => void (await stop())),
    });
    process.stdout.write(`${line}\n`);
  } catch (error) {
    const hint = error instanceof ConfigError ? ' (the command needs the environment of its service)' : '';
    process.stderr.write(`${name}: ${(error as Error).message}${hint}\n`);
    code = 1;
  }
  await cleanups.disposeAsync().catch(() => {});
  process.exit(code);
}
