import { ConfigError, type ConfigOf, readConfig, type Settings } from '../config/readConfig.ts';
import { createLogger, type Logger } from './logger.ts';

export interface CommandContext<Config> {
  config: Config;
  log: Logger;
  /** The options given on the command line. */
  options: string[];
  /** Registers a cleanup. Cleanups run in reverse order after the command. */
  onStop(stop: () => unknown): void;
}

interface CommandDefinition<S extends Settings> {
  /** Starts each error message, such as `auth: signing keys`. */
  title: string;
  /** The command's line in the usage. */
  summary: string;
  /** The options it accepts. */
  options?: string[];
  /** The settings it reads. */
  settings: S;
  /** Returns the text to print. */
  work(context: CommandContext<ConfigOf<S>>): Promise<string>;
}

/** A maintenance command of a service. */
export interface Command {
  summary: string;
  acceptedOptions: string[];
  /** Returns the exit code: 0, or 1 after a failure, which is one line on stderr. */
  run(options: string[]): Promise<number>;
}

export function defineCommand<S extends Settings>(definition: CommandDefinition<S>): Command {
  const { title, summary, options: acceptedOptions = [], settings, work } = definition;
  return {
    summary,
    acceptedOptions,
    async run(options) {
      const cleanups = new AsyncDisposableStack();
      const onStop = (stop: () => unknown) => cleanups.defer(async () => void (await stop()));
      let code = 0;
      try {
        const config = readConfig(settings, process.env);
        const line = await work({ config, log: createLogger(title, 'warn'), options, onStop });
        process.stdout.write(`${line}\n`);
      } catch (error) {
        const hint =
          error instanceof ConfigError ? ' (the command needs the environment of its service)' : '';
        process.stderr.write(`${title}: ${(error as Error).message}${hint}\n`);
        code = 1;
      }
      await cleanups.disposeAsync().catch(() => {});
      return code;
    },
  };
}

/**
 * Runs the command named on the command line (`NAME [OPTION …]`) and exits. `--help` prints the usage. The exit code for
 * an unknown name or option is 2.
 */
export async function runCommand(commands: Record<string, Command>): Promise<never> {
  const [name = '', ...options] = process.argv.slice(2);
  if ([name, ...options].some((each) => each === '--help' || each === '-h')) {
    process.stdout.write(usageOf(commands));
    process.exit(0);
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`${name ? `no such command: ${name}\n\n` : ''}${usageOf(commands)}`);
    process.exit(2);
  }
  const { acceptedOptions } = command;
  if (options.some((each) => !acceptedOptions.includes(each))) {
    const accepted = acceptedOptions.length > 0 ? `the only one is ${acceptedOptions.join()}` : 'it has none';
    process.stderr.write(`${name}: unknown option: ${options.join(' ')}; ${accepted}\n`);
    process.exit(2);
  }
  process.exit(await command.run(options));
}

function usageOf(commands: Record<string, Command>): string {
  const lines = Object.entries(commands).map(([name, { summary, acceptedOptions }]) => {
    const options = acceptedOptions.map((each) => ` [${each}]`).join('');
    return `  ${name}${options}: ${summary}`;
  });
  return `node dist/command.js NAME, with the environment of the service:\n\n${lines.join('\n')}\n`;
}
