import { ConfigError, readConfig } from '@gradeway/shared/config/readConfig';
import { expect, test } from 'vitest';
import { requireCodeDelivery, settings } from '../src/config.ts';

const required = {
  DATABASE_URL: 'postgres://localhost/school',
  EVENTS_URL: 'amqp://localhost',
  SERVICE_SECRET: 'a secret for the tests',
  KEY_ENCRYPTION_SECRET: 'a secret for the tests',
};

test('the required settings suffice, and the others have their documented defaults', () => {
  expect(readConfig(settings, required)).toMatchObject({
    accessTokenTtl: 12 * 3_600_000,
    refreshWindow: 14 * 86_400_000,
    loginLimitPerAccount: 10,
    deviceSingleAccount: false,
    smtpUrl: undefined,
    adminEmail: undefined,
    deviceLimitTotal: 0,
    deviceLimitWeb: 0,
    deviceLimitApp: 0,
    deviceLimitDesktop: 0,
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
  ['ADMIN_PASSWORD', 'password1', 'must not be one of the 10,000 most common passwords'],
])('%s = "%s" is refused: it %s', (name, value, message) => {
  expect(() => readConfig(settings, { ...required, [name]: value })).toThrow(
    new ConfigError([`${name} ${message}`]),
  );
});

test('SMTP_URL is required unless OTP_TO_LOG=1', () => {
  const check = (env: Record<string, string>) =>
    requireCodeDelivery(readConfig(settings, { ...required, ...env }));
  for (const OTP_TO_LOG of ['', '0'])
    expect(() => check({ OTP_TO_LOG })).toThrow(
      new ConfigError(['SMTP_URL is required, unless OTP_TO_LOG=1 allows login codes in the log']),
    );
  expect(() => check({ OTP_TO_LOG: '1' })).not.toThrow();
  expect(() => check({ SMTP_URL: 'smtp://mail.example' })).not.toThrow();
});

test('an ADMIN_PASSWORD of only spaces counts as unset and never becomes a password', () => {
  expect(readConfig(settings, { ...required, ADMIN_PASSWORD: '        ' }).adminPassword).toBeUndefined();
});

const provider = {
  ...{ id: 'school', name: 'School', issuer: 'https://id.school.example' },
  ...{ client_id: 'gradeway', client_secret: 'a secret' },
};
const providersOf = (list: unknown) =>
  readConfig(settings, { ...required, OIDC_PROVIDERS: JSON.stringify(list) }).oidcProviders;

test('a provider has safe defaults, and its issuer may use http only on a loopback host', () => {
  expect(providersOf([provider])).toMatchObject([
    { scope: 'openid email profile', domains: [], create: false, endsSession: false },
  ]);
  for (const issuer of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
    expect(providersOf([{ ...provider, issuer }])).toMatchObject([{ issuer }]);
});

test.each([
  [
    'an http issuer',
    [{ ...provider, issuer: 'http://id.school.example' }],
    'has an invalid 0.issuer: must be an https URL, or http on a loopback host',
  ],
  ['no issuer', [{ ...provider, issuer: undefined }], /^OIDC_PROVIDERS has an invalid 0\.issuer: /],
  [
    'a role of administrators',
    [{ ...provider, roles: { claim: 'groups', map: { it: 'admin' } } }],
    'has an invalid 0.roles.map.it: must be user, instructor or parent: never admin',
  ],
  ['two providers with one id', [provider, provider], 'must have different ids'],
  [
    'an id that is no path',
    [{ ...provider, id: 'a/b' }],
    'has an invalid 0.id: must consist of a-z, 0-9, - and _',
  ],
  ['an unknown property', [{ ...provider, secret: 'x' }], /^OIDC_PROVIDERS has an invalid 0: /],
])('OIDC_PROVIDERS with %s is refused', (_, list, message) => {
  const expected = message instanceof RegExp ? message : `OIDC_PROVIDERS ${message}`;
  expect(() => providersOf(list)).toThrow(expected);
});

test('invalid JSON in OIDC_PROVIDERS is rejected without showing it, and PASSWORD_LOGIN must be on or off', () => {
  const env = { ...required, OIDC_PROVIDERS: '{"client_secret":"abc"', PASSWORD_LOGIN: '0' };
  expect(() => readConfig(settings, env)).toThrow(
    new ConfigError(['OIDC_PROVIDERS must be a JSON list', 'PASSWORD_LOGIN must be on or off, but is "0"']),
  );
});
