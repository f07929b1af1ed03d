import { ConfigError, type ConfigOf, readSettings, type Settings } from '../config/readConfig.ts';
import { createLogger, type Logger } from './logger.ts';

export interface Command<Config> {
  config: Config;
  log: Logger;
  /** What to do at the end, in the reverse order of the calls. */
  onStop(what: string, stop: () => unknown): void;
}

/**
 * Runs an operator's command with a service's own configuration: `work` returns the line to print. Exit code 0
 * after that; 1, with one clear line, when it fails.
 */
export async function runCommand<S extends Settings>(
  name: string,
  settings: S,
  work: (command: Command<ConfigOf<S>>) => Promise<string>,
): Promise<void> {
  const open = new AsyncDisposableStack();
  let code = 0;
  try {
    const config = readSettings(settings, process.env);
    const log = createLogger(name, 'warn');
    const line = await work({
      config,
      log,
      onStop: (_what, stop) => open.defer(async () => void (await stop())),
    });
    process.stdout.write(`${line}\n`);
  } catch (error) {
    const hint = error instanceof ConfigError ? ' (the command needs the environment of its service)' : '';
    process.stderr.write(`${name}: ${(error as Error).message}${hint}\n`);
    code = 1;
  }
  await open.disposeAsync().catch(() => {});
  process.exit(code);
}
