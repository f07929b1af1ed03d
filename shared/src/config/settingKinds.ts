import type { Setting } from './readConfig.ts';

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

/** The URL of a mail server. The error message omits the value, which may include a password. */
export const smtpUrl = kind('URL', (value) => {
  check(
    /^smtps?:/.test(value) && URL.canParse(value),
    'must be a URL like smtp://user:password@mail.example:587',
  );
  return value;
});

/** The URL of a Valkey or Redis server. The error message omits the value, which may include a password. */
export const valkeyUrl = kind('URL', (value) => {
  check(
    /^rediss?:/.test(value) && URL.canParse(value),
    'must be a URL like rediss://user:password@valkey.example:6379',
  );
  return value;
});

/** A time of day like `17:00`. */
export const timeOfDay = kind('time of day', (value) => {
  check(/^([01]\d|2[0-3]):[0-5]\d$/.test(value), `must be a time of day like 17:00, but is "${value}"`);
  return value;
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
