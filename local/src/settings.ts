import { type ConfigOf, flag, port, text, url } from '@gradeway/shared/config/readConfig';

/** What `npm start` itself reads; its processes read the rest. */
export const settings = {
  port: port('PORT', { default: '8080', about: 'The gateway’s port on 127.0.0.1' }),
  dataDirectory: text('DATA_DIR', { default: '.data', about: 'Where everything is kept' }),
  adminEmail: text('ADMIN_EMAIL', { default: 'admin@gradeway.local', about: 'The first administrator' }),
  adminPassword: text.optional('ADMIN_PASSWORD', { about: 'Generated and printed when it is not given' }),
  demoData: flag('DEMO_DATA', { default: '1', about: '0 skips the demonstration school' }),
  databaseUrl: url.optional('DATABASE_URL', {
    about: 'A PostgreSQL of yours; embedded when it is not given',
  }),
  eventsUrl: url.optional('EVENTS_URL', { about: 'RabbitMQ; embedded when it is not given' }),
};

export type LocalConfig = ConfigOf<typeof settings>;

/** What `npm run import` reads. */
export const importSettings = {
  dataDirectory: settings.dataDirectory,
  accessToken: text.optional('ACCESS_TOKEN', { about: 'An administrator’s token, in place of a login' }),
  adminEmail: text.optional('ADMIN_EMAIL', { about: 'Who imports' }),
  adminPassword: settings.adminPassword,
};
