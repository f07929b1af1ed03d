import { readFileSync } from 'node:fs';

/*
 * A setting declares one environment variable: name, kind, default, meaning. The environment holds the raw text; the
 * config holds the parsed values.
 */

/** One declared environment variable. The README of each process lists its settings (settingsTable.ts). */
export interface Setting<T> {
  readonly name: string;
  /** Type column of the README: `duration`, `port`. */
  readonly kind: string;
  /** Meaning column of the README. */
  readonly about: string;
  /** The default as text; undefined when there is none. */
  readonly defaultText: string | undefined;
  readonly required: boolean;
  /** An older variable, read when this one is unset. */
  readonly alternative?: Setting<T>;
  /** Parses the text. @throws Error whose message completes "NAME …" */
  parse(text: string): T;
}

export type Settings = Record<string, Setting<unknown>>;
export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** The exit code for invalid configuration: EX_CONFIG of sysexits.h. A restart would not help. */
export const invalidConfigurationCode = 78;

/** Required variables are missing or values are invalid. The message names each variable and the expected form. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join('; '));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the declared settings from an environment. An empty variable counts as unset. Instead of NAME, `NAME_FILE` can
 * name a file with the value, which keeps secrets out of the environment. Values are trimmed.
 * @throws ConfigError naming every missing or invalid variable, not only the first
 */
export function readConfig<S extends Settings>(settings: S, env: NodeJS.ProcessEnv): ConfigOf<S> {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([key, declared]) => {
    const { alternative } = declared;
    const setting = alternative && isGiven(alternative.name, env) ? alternative : declared;
    try {
      if (setting !== declared) requireUnset(declared, env);
      const text = textOf(setting.name, env) ?? setting.defaultText;
      if (text === undefined && setting.required) throw new Error('is required');
      return [key, text === undefined ? undefined : setting.parse(text)];
    } catch (error) {
      problems.push(`${setting.name} ${(error as Error).message}`);
      return [key, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(values) as ConfigOf<S>;
}

const isGiven = (name: string, env: NodeJS.ProcessEnv): boolean =>
  Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());

function requireUnset({ name }: Setting<unknown>, env: NodeJS.ProcessEnv): void {
  if (isGiven(name, env)) throw new Error(`is replaced by ${name}; only one of them may be given`);
}

function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name]?.trim() || undefined;
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return value;
  if (value !== undefined) throw new Error(`is given twice, the second time by ${name}_FILE`);
  return readValueFile(path) || undefined;
}

function readValueFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
