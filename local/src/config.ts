import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import { fixedPort, flag, text, timeZone, url } from '@gradeway/shared/config/settingKinds';

/** The settings of `npm start` itself. The processes it starts have their own. */
export const settings = {
  port: fixedPort('PORT', { default: '8080', about: 'The gateway’s port on 127.0.0.1' }),
  dataDirectory: text('DATA_DIR', { default: '.data', about: 'Directory of all data' }),
  adminEmail: text('ADMIN_EMAIL', { default: 'admin@gradeway.local', about: 'The first administrator' }),
  adminPassword: text.optional('ADMIN_PASSWORD', { about: 'Generated and printed if unset' }),
  demoData: flag('DEMO_DATA', { default: '1', about: '0 skips the demo school' }),
  erasureList: text.optional('ERASURE_LIST', {
    about:
      'The list of erasures, which restores need (docs/backup.md); default: `erasures.jsonl` in `DATA_DIR`',
  }),
  timeZone: timeZone('APP_TIMEZONE', { default: 'UTC', about: 'The time zone of the school' }),
  databaseUrl: url.optional('DATABASE_URL', { about: 'An existing PostgreSQL; embedded if unset' }),
  eventsUrl: url.optional('EVENTS_URL', { about: 'RabbitMQ; embedded if unset' }),
};

export type LocalConfig = ConfigOf<typeof settings>;

/** The settings of `npm run import`. */
export const importSettings = {
  dataDirectory: settings.dataDirectory,
  accessToken: text.optional('ACCESS_TOKEN', { about: 'An administrator’s token, instead of a login' }),
  adminEmail: text.optional('ADMIN_EMAIL', { about: 'The administrator who imports' }),
  adminPassword: settings.adminPassword,
};

/** How the containers deliver login codes. Auth itself reads SMTP_URL or SMTP_URL_FILE. */
export const codeDeliverySettings = {
  codesByMail: text.optional('CODES_BY_MAIL', { about: 'Set when SMTP_URL or SMTP_URL_FILE is' }),
  otpToLog: flag('OTP_TO_LOG', { default: '0', about: '1 allows login codes in the log' }),
};
