import { ConfigError, readSettings } from '@gradeway/shared/config/readConfig';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';

const least = {
  DATABASE_URL: 'postgres://localhost/school',
  EVENTS_URL: 'amqp://localhost',
  SERVICE_SECRET: 'a secret of the tests',
  KEY_ENCRYPTION_SECRET: 'a secret of the tests',
};

test('the least that must be set is enough, and the defaults are those of the decisions', () => {
  expect(readSettings(settings, least)).toMatchObject({
    ...{ accessTokenTtl: 12 * 3_600_000, refreshWindow: 14 * 86_400_000, signingKeyAge: 90 * 86_400_000 },
    ...{ loginLimitPerAccount: 10, deviceSingleAccount: false, smtpUrl: undefined, adminEmail: undefined },
    ...{ deviceLimitTotal: 0, deviceLimitWeb: 0, deviceLimitApp: 0, deviceLimitDesktop: 0 },
  });
});

test.each([
  ['KEY_ENCRYPTION_SECRET', '', 'is required'],
  ['KEY_ENCRYPTION_SECRET', 'short', 'must be at least 16 characters long'],
  ['ACCESS_TOKEN_TTL', '0s', 'must be at least 1s'],
  ['PASSWORD_HASHINGS', '0', 'must be at least 1'],
  ['SMTP_URL', 'https://mail.example', 'must be a URL like smtp://user:password@mail.example:587'],
  ['ADMIN_EMAIL', 'admin', 'must be an email address'],
  ['ADMIN_PASSWORD', '1234567', 'must have 8 to 128 characters'],
])('%s = "%s" stops the start: it %s', (name, value, complaint) => {
  expect(() => readSettings(settings, { ...least, [name]: value })).toThrow(
    new ConfigError([`${name} ${complaint}`]),
  );
});
