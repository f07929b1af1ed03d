import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/readConfig.ts';
import {
  count,
  duration,
  flag,
  logLevel,
  pairs,
  port,
  secret,
  text,
  timeZone,
  url,
} from '../../src/config/settingKinds.ts';

const about = 'meaning';

describe('the config', () => {
  test('the configuration contains the values of the environment, and defaults for unset variables', () => {
    const settings = {
      port: port('PORT', { default: '8080', about }),
      ttl: duration('TTL', { default: '12h', about }),
      name: text('NAME', { default: 'quiz', about }),
      limit: url.optional('LIMIT_URL', { about }),
    };
    const config = readConfig(settings, { PORT: '9000', NAME: '' });
    expect(config).toEqual({ port: 9000, ttl: 43_200_000, name: 'quiz', limit: undefined });
  });

  test('an invalid configuration is rejected with a message that names every invalid variable and its expected form', () => {
    const settings = {
      port: port('PORT', { default: '1', about }),
      key: secret('KEY', { about }),
      on: flag('ON', { default: '0', about }),
    };
    expect(() => readConfig(settings, { PORT: 'abc', ON: 'yes' })).toThrow(
      'PORT must be a whole number from 0 to 65535, but is "abc"; KEY is required; ON must be 0 or 1, but is "yes"',
    );
  });

  test('the configuration may contain name=value lists in the format of OpenTelemetry', () => {
    const settings = { resource: pairs('RESOURCE', { default: ',', about }) };
    const read = (RESOURCE: string) => readConfig(settings, { RESOURCE }).resource;
    expect(read('')).toEqual({});
    expect(read('a.b=c, d=e%2Cf=g')).toEqual({ 'a.b': 'c', d: 'e,f=g' });
    expect(() => read('production')).toThrow('RESOURCE must be a list like name=value,other=value');
  });

  test('the error for an invalid configuration does not contain secrets', () => {
    const settings = { key: secret('KEY', { about }), url: url('DATABASE_URL', { about }) };
    const read = () => readConfig(settings, { KEY: 'hunter2', DATABASE_URL: 'hunter2:hunter2' });
    expect(read).toThrow('KEY must be at least 16 characters long');
    expect(read).not.toThrow('hunter2');
  });

  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['14d', 1_209_600_000],
    ['500ms', 500],
  ])('a duration of %s is %i ms (D34)', (given, ms) => {
    expect(readConfig({ it: duration('IT', { about }) }, { IT: given })).toEqual({ it: ms });
  });

  test.each([
    [duration('IT', { about }), '12'],
    [duration('IT', { about }), '1.5h'],
    [count('IT', { about }), '-1'],
    [count('IT', { about }), '1e3'],
    [port('IT', { about }), '65536'],
    [flag('IT', { about }), 'true'],
    [timeZone('IT', { about }), 'Mars/Olympus'],
    [logLevel('IT', { about }), 'loud'],
    [url('IT', { about }), 'not a url'],
  ])('%o rejects %s', (setting, given) => {
    expect(() => readConfig({ setting }, { IT: given })).toThrow(/^IT must be/);
  });
});

describe('a variable in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradeway-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const settings = {
    key: secret('KEY', { about }),
    ttl: duration('TTL', { default: '12h', about }),
  };

  test('a variable is read from the path in NAME_FILE and trimmed', () => {
    const env = { KEY_FILE: file('key', 'sixteen characters\n'), TTL_FILE: file('ttl', '90s\n') };
    expect(readConfig(settings, env)).toEqual({ key: 'sixteen characters', ttl: 90_000 });
  });

  test('a variable counts as unset when its file is empty', () => {
    const env = { KEY_FILE: file('empty', '\n'), TTL_FILE: file('empty too', '') };
    expect(() => readConfig(settings, env)).toThrow(/^KEY is required$/);
  });

  test('a variable is rejected when its file cannot be read or its value is also set', () => {
    const env = { KEY_FILE: join(folder, 'missing'), TTL: '1s', TTL_FILE: file('ttl', '90s') };
    expect(() => readConfig(settings, env)).toThrow(
      `KEY cannot be read from ${join(folder, 'missing')}: ENOENT; TTL is given twice, the second time by TTL_FILE`,
    );
  });

  test('a variable in a file is validated like a value, and errors do not contain its secret', () => {
    const read = () => readConfig(settings, { KEY_FILE: file('short', 'hunter2') });
    expect(read).toThrow('KEY must be at least 16 characters long');
    expect(read).not.toThrow('hunter2');
  });
});
