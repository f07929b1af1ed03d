import { readFileSync } from 'node:fs';

/** One variable of the environment. The README of each process lists them, and a test compares. */
export interface Setting<T> {
  readonly name: string;
  /** How it is written, for people: `duration`, `port`. */
  readonly kind: string;
  readonly about: string;
  /** As it would be written; undefined when the setting has no default. */
  readonly defaultText: string | undefined;
  readonly required: boolean;
  /** Reads the text, or throws with a sentence that completes "NAME …". */
  parse(text: string): T;
}

export type Settings = Record<string, Setting<unknown>>;
export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Some settings are wrong. The message names each of them and says what would be right. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join('; '));
    this.name = 'ConfigError';
  }
}

/**
 * Reads settings from an environment. An empty variable counts as unset. `NAME_FILE` names a file that holds the
 * value of NAME, without the line break at its end, so that a secret need not stand in an environment.
 * @throws ConfigError naming every variable that is missing or wrong, not only the first
 */
export function readSettings<S extends Settings>(settings: S, env: NodeJS.ProcessEnv): ConfigOf<S> {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([key, setting]) => {
    try {
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

function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name]?.trim() || undefined;
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return value;
  check(value === undefined, `is given twice, also by ${name}_FILE`);
  return readSetting(path) || undefined;
}

function readSetting(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

interface Given {
  default?: string;
  about: string;
}

type Maker<T> = {
  (name: string, given: Given): Setting<T>;
  /** The same, where having no value is a value. */
  optional(name: string, given: { about: string }): Setting<T | undefined>;
};

function kind<T>(kindName: string, parse: (text: string) => T): Maker<T> {
  const make = (name: string, given: Given): Setting<T> => ({
    name,
    kind: kindName,
    about: given.about,
    defaultText: given.default,
    required: given.default === undefined,
    parse,
  });
  const optional = (name: string, given: { about: string }): Setting<T | undefined> => ({
    ...make(name, given),
    required: false,
  });
  return Object.assign(make, { optional });
}

function check(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new Error(complaint);
}

function wholeNumber(text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  check(
    /^\d+$/.test(text) && value >= least && value <= most,
    `must be a whole number from ${least} to ${most}, but is "${text}"`,
  );
  return value;
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `12h`, `14d` (D34), in milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  check(match !== null, `must be a duration like 90s, 15m, 12h or 14d, but is "${text}"`);
  return Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0);
}

export const text = kind('text', (value) => value);
export const port = kind('port', (value) => wholeNumber(value, 0, 65_535));
export const count = kind('count', (value) => wholeNumber(value, 0));
export const bytes = kind('bytes', (value) => wholeNumber(value, 1));
export const duration = kind('duration', parseDuration);

/** Durations separated by commas, at least one. */
export const durations = kind('durations', (value) =>
  value.split(',').map((each) => parseDuration(each.trim())),
);

/** A switch: `0` or `1` (D34). */
export const flag = kind('0 or 1', (value) => {
  check(value === '0' || value === '1', `must be 0 or 1, but is "${value}"`);
  return value === '1';
});

/** A number from 0 to 1. */
export const ratio = kind('ratio', (value) => {
  const number = Number(value);
  check(number >= 0 && number <= 1, `must be a number from 0 to 1, but is "${value}"`);
  return number;
});

/** Text that nobody else may know, long enough not to be guessed. The message never repeats it. */
export const secret = kind('secret', (value) => {
  check(value.length >= 16, 'must be at least 16 characters long');
  return value;
});

/** A URL without a slash at its end. Its password is never repeated. */
export const url = kind('URL', (value) => {
  check(URL.canParse(value), 'must be a URL');
  return value.replace(/\/+$/, '');
});

/** `host:port` of a gRPC server, or any name that gRPC resolves (`dns:///courses:9090`, `ipv4:10.0.0.1:9090,…`). */
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

/** `name=value` pairs separated by commas, percent-encoded where they must be (OTEL_RESOURCE_ATTRIBUTES has it so). */
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

/** Words separated by commas. */
export const list = kind('list', (value) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);
