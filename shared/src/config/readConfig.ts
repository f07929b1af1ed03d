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
      if (setting !== declared)
        check(!isGiven(declared.name, env), `is replaced by ${declared.name}; only one of them may be given`);
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

function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name]?.trim() || undefined;
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return value;
  check(value === undefined, `is given twice, also by ${name}_FILE`);
  return readValueFile(path) || undefined;
}

function readValueFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

interface Declaration {
  default?: string;
  about: string;
}

type SettingFactory<T> = {
  (name: string, declaration: Declaration): Setting<T>;
  /** Declares a variable that may be unset; its value is then undefined. */
  optional(name: string, declaration: { about: string }): Setting<T | undefined>;
};

function kind<T>(kindName: string, parse: (text: string) => T): SettingFactory<T> {
  const make = (name: string, declaration: Declaration): Setting<T> => ({
    name,
    kind: kindName,
    about: declaration.about,
    defaultText: declaration.default,
    required: declaration.default === undefined,
    parse,
  });
  const optional = (name: string, declaration: { about: string }): Setting<T | undefined> => ({
    ...make(name, declaration),
    required: false,
  });
  return Object.assign(make, { optional });
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function wholeNumber(text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  check(
    /^\d+$/.test(text) && value >= min && value <= max,
    `must be a whole number from ${min} to ${max}, but is "${text}"`,
  );
  return value;
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `15m`, `12h` or `14d` (D34). Returns milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  check(match !== null, `must be a duration like 90s, 15m, 12h or 14d, but is "${text}"`);
  return Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0);
}

export const text = kind('text', (value) => value);
/** A port to listen on; with 0, the operating system chooses one. */
export const port = kind('port', (value) => wholeNumber(value, 0, 65_535));
/** A port that must be known in advance, so 0 is not allowed. */
export const fixedPort = kind('port', (value) => wholeNumber(value, 1, 65_535));
export const count = kind('count', (value) => wholeNumber(value, 0));
export const countFrom = (least: number) => kind('count', (value) => wholeNumber(value, least));
export const bytes = kind('bytes', (value) => wholeNumber(value, 1));
export const duration = kind('duration', parseDuration);

/** Comma-separated durations, at least one. Returns milliseconds. */
export const durations = kind('durations', (value) =>
  value.split(',').map((each) => parseDuration(each.trim())),
);

/** A switch: `0` or `1` (D34). */
export const flag = kind('0 or 1', (value) => {
  check(value === '0' || value === '1', `must be 0 or 1, but is "${value}"`);
  return value === '1';
});

/** Whether a policy is enforced: `off` or `required`. */
export const policy = kind('off or required', (value) => {
  check(value === 'off' || value === 'required', `must be off or required, but is "${value}"`);
  return value === 'required';
});

/** A number from 0 to 1. */
export const ratio = kind('ratio', (value) => {
  const number = Number(value);
  check(number >= 0 && number <= 1, `must be a number from 0 to 1, but is "${value}"`);
  return number;
});

/** A secret of at least 16 characters. The error message does not contain the value. */
export const secret = kind('secret', (value) => {
  check(value.length >= 16, 'must be at least 16 characters long');
  return value;
});

/** A URL without its trailing slashes. The error message omits the value, which may include a password. */
export const url = kind('URL', (value) => {
  check(URL.canParse(value), 'must be a URL');
  return value.replace(/\/+$/, '');
});

/**
 * One URL, or two separated by a space. The second is used where the first is refused. The error message omits the
 * values, which may include passwords.
 */
export const urls = kind('URL, or two', (value) => {
  const each = value.split(/\s+/);
  check(
    each.length <= 2 && each.every((one) => URL.canParse(one)),
    'must be a URL, or two separated by a space',
  );
  return value;
});

/** A gRPC target: `host:port`, `dns:///courses:9090` or `ipv4:10.0.0.1:9090,…`. */
export const address = kind('address', (value) => {
  check(/:\d+$/.test(value), `must be an address like host:port, but is "${value}"`);
  return value;
});

export const timeZone = kind('IANA time zone', (value) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return value;
  } catch {
    throw new Error(`must be an IANA time zone like Europe/Vienna, but is "${value}"`);
  }
});

export const logLevel = kind('trace, debug, info, warn, error or silent', (value) => {
  check(
    /^(trace|debug|info|warn|error|silent)$/.test(value),
    `must be trace, debug, info, warn, error or silent, but is "${value}"`,
  );
  return value;
});

/** Comma-separated `name=value` pairs with percent-encoded values, the format of OTEL_RESOURCE_ATTRIBUTES. */
export const pairs = kind('name=value list', (value) =>
  Object.fromEntries(
    value.split(',').flatMap((pair) => {
      if (pair.trim() === '') return [];
      const [name = '', ...rest] = pair.split('=');
      check(name.trim() !== '' && rest.length > 0, `must be a list like name=value,other=value`);
      return [[name.trim(), decodeURIComponent(rest.join('=').trim())]];
    }),
  ),
);

/** Comma-separated words. */
export const list = kind('list', (value) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);
