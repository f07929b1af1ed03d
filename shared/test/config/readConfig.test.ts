import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  count,
  duration,
  flag,
  logLevel,
  pairs,
  port,
  readSettings,
  secret,
  text,
  timeZone,
  url,
} from '@gradeway/shared/config/readConfig';
import { afterAll, describe, expect, test } from 'vitest';

const about = 'what it means';

describe('configuration', () => {
  test('takes the environment, and the default where that says nothing', () => {
    const settings = {
      port: port('PORT', { default: '8080', about }),
      ttl: duration('TTL', { default: '12h', about }),
      name: text('NAME', { default: 'quiz', about }),
      limit: url.optional('LIMIT_URL', { about }),
    };
    const config = readSettings(settings, { PORT: '9000', NAME: '' });
    expect(config).toEqual({ port: 9000, ttl: 43_200_000, name: 'quiz', limit: undefined });
  });

  test('that is wrong names every wrong variable and says what would be right', () => {
    const settings = {
      port: port('PORT', { default: '1', about }),
      key: secret('KEY', { about }),
      on: flag('ON', { default: '0', about }),
    };
    expect(() => readSettings(settings, { PORT: 'abc', ON: 'yes' })).toThrow(
      'PORT must be a whole number from 0 to 65535, but is "abc"; KEY is required; ON must be 0 or 1, but is "yes"',
    );
  });

  test('reads name=value lists as OpenTelemetry writes them', () => {
    const settings = { resource: pairs('RESOURCE', { default: ',', about }) };
    const read = (RESOURCE: string) => readSettings(settings, { RESOURCE }).resource;
    expect(read('')).toEqual({});
    expect(read('a.b=c, d=e%2Cf=g')).toEqual({ 'a.b': 'c', d: 'e,f=g' });
    expect(() => read('production')).toThrow('RESOURCE must be a list like name=value,other=value');
  });

  test('never repeats a secret', () => {
    const settings = { key: secret('KEY', { about }), url: url('DATABASE_URL', { about }) };
    const read = () => readSettings(settings, { KEY: 'hunter2', DATABASE_URL: 'hunter2:hunter2' });
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
    expect(readSettings({ it: duration('IT', { about }) }, { IT: given })).toEqual({ it: ms });
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
  ])('%o does not take %s', (setting, given) => {
    expect(() => readSettings({ setting }, { IT: given })).toThrow(/^IT must be/);
  });
});

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradeway-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const settings = {
    key: secret('KEY', { about }),
    ttl: duration('TTL', { default: '12h', about }),
  };

  test('is read where NAME_FILE names it, without the line break at its end', () => {
    const env = { KEY_FILE: file('key', 'sixteen characters\n'), TTL_FILE: file('ttl', '90s\n') };
    expect(readSettings(settings, env)).toEqual({ key: 'sixteen characters', ttl: 90_000 });
  });

  test('that is empty counts as unset', () => {
    const env = { KEY_FILE: file('empty', '\n'), TTL_FILE: file('empty too', '') };
    expect(() => readSettings(settings, env)).toThrow(/^KEY is required$/);
  });

  test('that cannot be read, or is given as a value too, stops the start', () => {
    const env = { KEY_FILE: join(folder, 'missing'), TTL: '1s', TTL_FILE: file('ttl', '90s') };
    expect(() => readSettings(settings, env)).toThrow(
      `KEY cannot be read from ${join(folder, 'missing')}: ENOENT; TTL is given twice, also by TTL_FILE`,
    );
  });

  test('is kept to the same rules, and not repeated', () => {
    const read = () => readSettings(settings, { KEY_FILE: file('short', 'hunter2') });
    expect(read).toThrow('KEY must be at least 16 characters long');
    expect(read).not.toThrow('hunter2');
  });
});
