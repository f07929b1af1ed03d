import { ConfigError, type ConfigOf, type Setting } from '@gradeway/shared/config/readConfig';
import { requiresReauthentication } from '@gradeway/shared/config/reauthentication';
import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { address, count, duration, flag, secret, smtpUrl, text } from '@gradeway/shared/config/settingKinds';
import { isCommonPassword } from './domain/commonPasswords.ts';
import { isEmail } from './domain/loginIdentifier.ts';
import { maxPasswordLength, minPasswordLength } from './domain/passwordHasher.ts';
import { personalDataSettings } from './personalData/config.ts';
import { singleSignOnSettings } from './singleSignOn/config.ts';

// Auth never connects to itself.
const { authGrpc: _authGrpc, jwksUrl: _jwksUrl, ...commonSettings } = serviceSettings;

/** Every environment variable that this service reads. No other file reads the environment. */
export const settings = {
  ...commonSettings,
  ...personalDataSettings,
  ...singleSignOnSettings,
  coursesGrpc: address('COURSES_GRPC', { default: 'courses:9090', about: 'gRPC address of courses' }),

  accessTokenTtl: lifetime('ACCESS_TOKEN_TTL', '12h', 'Lifetime of an access token (D11)'),
  refreshWindow: duration('REFRESH_WINDOW', {
    default: '14d',
    about: 'How long after its expiry a token can still be refreshed (D12)',
  }),
  keyEncryptionSecret: secret('KEY_ENCRYPTION_SECRET', {
    about:
      'Encrypts the private signing keys and the secrets of second factors in the database; must be the same in every replica',
  }),
  keyEncryptionSecretSecondary: secret.optional('KEY_ENCRYPTION_SECRET_SECONDARY', {
    about:
      'Also decrypts the secrets of second factors while `KEY_ENCRYPTION_SECRET` is being replaced: the next or the previous secret',
  }),

  loginLimitPerAccount: count('LOGIN_LIMIT_PER_ACCOUNT', {
    default: '10',
    about:
      'Maximum failed logins per account within 15 minutes, counted together for all unknown devices and addresses and separately for each known one; 0 means no limit (D50)',
  }),
  requiresReauthentication,
  passwordHashings: restricted(
    count('PASSWORD_HASHINGS', {
      default: '3',
      about: 'Maximum number of passwords hashed concurrently, 19 MiB each',
    }),
    (number) => number >= 1,
    'must be at least 1',
  ),

  deviceLimitTotal: deviceLimit('DEVICE_LIMIT_TOTAL', 'devices'),
  deviceLimitWeb: deviceLimit('DEVICE_LIMIT_WEB', 'web devices'),
  deviceLimitApp: deviceLimit('DEVICE_LIMIT_APP', 'app devices'),
  deviceLimitDesktop: deviceLimit('DEVICE_LIMIT_DESKTOP', 'desktop devices'),
  deviceSingleAccount: flag('DEVICE_SINGLE_ACCOUNT', {
    default: '0',
    about: 'Whether each device is limited to one account (D10)',
  }),

  smtpUrl: smtpUrl.optional('SMTP_URL', {
    about: 'Mail server that delivers login codes (D16); required unless `OTP_TO_LOG` is 1',
  }),
  otpToLog: flag('OTP_TO_LOG', {
    default: '0',
    about: 'Whether login codes are written to the log if `SMTP_URL` is unset; for evaluation only',
  }),
  mailFrom: text('MAIL_FROM', {
    default: 'Gradeway <no-reply@gradeway.invalid>',
    about: 'Sender of the emails with login codes',
  }),

  adminEmail: restricted(
    text.optional('ADMIN_EMAIL', {
      about: 'Email address of the administrator that is created when none exists',
    }),
    (value) => isEmail(value ?? ''),
    'must be an email address',
  ),
  adminPassword: restricted(
    restricted(
      text.optional('ADMIN_PASSWORD', {
        about: 'Password of the administrator that is created when none exists',
      }),
      (value = '') => [...value].length >= minPasswordLength && [...value].length <= maxPasswordLength,
      `must have ${minPasswordLength} to ${maxPasswordLength} characters`,
    ),
    (value = '') => !isCommonPassword(value),
    'must not be one of the 10,000 most common passwords',
  ),
};

type Config = ConfigOf<typeof settings>;

/**
 * Requires an explicit way to deliver login codes: anyone who can read the log could log in with the codes in it.
 * @throws ConfigError
 */
export function requireCodeDelivery({ smtpUrl, otpToLog }: Pick<Config, 'smtpUrl' | 'otpToLog'>): void {
  if (smtpUrl === undefined && !otpToLog)
    throw new ConfigError(['SMTP_URL is required, unless OTP_TO_LOG=1 allows login codes in the log']);
}

/** Adds a condition to a setting. The message never contains the value. */
function restricted<T>(setting: Setting<T>, isValid: (value: T) => boolean, message: string): Setting<T> {
  return {
    ...setting,
    parse(text) {
      const value = setting.parse(text);
      if (!isValid(value)) throw new Error(message);
      return value;
    },
  };
}

function lifetime(name: string, defaultValue: string, about: string): Setting<number> {
  return restricted(
    duration(name, { default: defaultValue, about }),
    (ms) => ms >= 1_000,
    'must be at least 1s',
  );
}

function deviceLimit(name: string, devices: string): Setting<number> {
  return count(name, { default: '0', about: `Maximum ${devices} per account; 0 means no limit (D10)` });
}
