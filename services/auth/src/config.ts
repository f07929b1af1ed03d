import {
  address,
  count,
  duration,
  flag,
  type Setting,
  secret,
  text,
  url,
} from '@gradeway/shared/config/readConfig';
import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { isEmail } from './domain/loginIdentifier.ts';
import { longestPassword, shortestPassword } from './domain/passwordHasher.ts';

// Auth is the one process that need not ask auth.
const {
  authGrpc: _authGrpc,
  jwksUrl: _jwksUrl,
  revocationsInterval: _revocationsInterval,
  ...commonSettings
} = serviceSettings;

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = {
  ...commonSettings,
  coursesGrpc: address('COURSES_GRPC', { default: 'courses:9090', about: 'gRPC address of courses' }),

  accessTokenTtl: lifetime('ACCESS_TOKEN_TTL', '12h', 'How long an access token is good (D11)'),
  refreshWindow: duration('REFRESH_WINDOW', {
    default: '14d',
    about: 'How long after its expiry a token can still be exchanged for a new one (D12)',
  }),
  keyEncryptionSecret: secret('KEY_ENCRYPTION_SECRET', {
    about: 'Encrypts the private signing keys in the database; the same in every replica',
  }),
  signingKeyAge: lifetime('SIGNING_KEY_AGE', '90d', 'How long a key signs before the next one takes over'),

  loginLimitPerAccount: count('LOGIN_LIMIT_PER_ACCOUNT', {
    default: '10',
    about: 'Most refused logins of one account within 15 minutes; 0 = no limit (D34)',
  }),
  passwordHashings: restricted(
    count('PASSWORD_HASHINGS', { default: '3', about: 'Most passwords hashed at once, 19 MiB each' }),
    (number) => number >= 1,
    'must be at least 1',
  ),

  deviceLimitTotal: deviceLimit('DEVICE_LIMIT_TOTAL', 'devices'),
  deviceLimitWeb: deviceLimit('DEVICE_LIMIT_WEB', 'web devices'),
  deviceLimitApp: deviceLimit('DEVICE_LIMIT_APP', 'app devices'),
  deviceLimitDesktop: deviceLimit('DEVICE_LIMIT_DESKTOP', 'desktop devices'),
  deviceSingleAccount: flag('DEVICE_SINGLE_ACCOUNT', {
    default: '0',
    about: 'Whether a device may be used with one account only (D10)',
  }),

  smtpUrl: restricted(
    url.optional('SMTP_URL', {
      about: 'Mail server that delivers login codes; unset, they are written to the log (D16)',
    }),
    (value) => /^smtps?:/.test(value ?? ''),
    'must be a URL like smtp://user:password@mail.example:587',
  ),
  mailFrom: text('MAIL_FROM', {
    default: 'Gradeway <no-reply@gradeway.invalid>',
    about: 'Sender of the mails with login codes',
  }),

  adminEmail: restricted(
    text.optional('ADMIN_EMAIL', { about: 'Address of the administrator made when there is none' }),
    (value) => isEmail(value ?? ''),
    'must be an email address',
  ),
  adminPassword: restricted(
    text.optional('ADMIN_PASSWORD', { about: 'Password of the administrator made when there is none' }),
    (value = '') => [...value].length >= shortestPassword && [...value].length <= longestPassword,
    `must have ${shortestPassword} to ${longestPassword} characters`,
  ),
};

/** A setting whose values must meet one more condition. The complaint never repeats the value. */
function restricted<T>(setting: Setting<T>, holds: (value: T) => boolean, complaint: string): Setting<T> {
  return {
    ...setting,
    parse(written) {
      const value = setting.parse(written);
      if (!holds(value)) throw new Error(complaint);
      return value;
    },
  };
}

function lifetime(name: string, fallback: string, about: string): Setting<number> {
  return restricted(duration(name, { default: fallback, about }), (ms) => ms >= 1_000, 'must be at least 1s');
}

function deviceLimit(name: string, what: string): Setting<number> {
  return count(name, { default: '0', about: `Most ${what} of one account; 0 = no limit (D10)` });
}
