import { bytes, type ConfigOf, count, duration, list, port, url } from '@gradeway/shared/config/readConfig';
import { processSettings } from '@gradeway/shared/config/serviceSettings';

/** Every variable that the gateway reads. Nothing else touches the environment. */
export const settings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'Port that clients use' }),
  authUrl: url('AUTH_URL', { default: 'http://auth:8080', about: 'Address of auth' }),
  coursesUrl: url('COURSES_URL', { default: 'http://courses:8080', about: 'Address of courses' }),
  homeworkUrl: url('HOMEWORK_URL', { default: 'http://homework:8080', about: 'Address of homework' }),
  quizUrl: url('QUIZ_URL', { default: 'http://quiz:8080', about: 'Address of quiz' }),
  eventsUrl: url.optional('EVENTS_URL', {
    about: 'The broker, which tells at once of ended sessions; unset, they are only asked for',
  }),
  trustedProxies: count('TRUSTED_PROXIES', {
    default: '0',
    about:
      'How many proxies of ours stand before the gateway; only what they add to `X-Forwarded-*` is believed',
  }),
  corsOrigins: list('CORS_ORIGINS', {
    default: ',',
    about: 'Origins whose pages may call from a browser, separated by commas; none by default',
  }),
  rateLimit: count('RATE_LIMIT_PER_MINUTE', {
    default: '1200',
    about: 'Requests a minute of each account, or of each address without a token; 0 is no limit (D34)',
  }),
  loginLimit: count('LOGIN_LIMIT_PER_ADDRESS', {
    default: '100',
    about: 'Failed logins in 15 minutes from one address; 0 is no limit (D34)',
  }),
  maxUploadBytes: bytes('MAX_UPLOAD_BYTES', {
    default: '26214400',
    about: 'Largest file (D28); a request that announces more is refused before it is read',
  }),
  idleTimeout: duration('IDLE_TIMEOUT', {
    default: '15s',
    about: 'How long a service may be silent before the client gets 504',
  }),
  totalTimeout: duration('TOTAL_TIMEOUT', { default: '60s', about: 'How long a request may take in all' }),
  transferIdleTimeout: duration('TRANSFER_IDLE_TIMEOUT', {
    default: '2m',
    about: 'The same as `IDLE_TIMEOUT` for uploads and downloads: a client may pause',
  }),
  transferTotalTimeout: duration('TRANSFER_TOTAL_TIMEOUT', {
    default: '30m',
    about: 'The same as `TOTAL_TIMEOUT` for uploads and downloads',
  }),
};

export type Config = ConfigOf<typeof settings>;
