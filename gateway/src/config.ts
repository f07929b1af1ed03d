import { bytes, type ConfigOf, count, duration, list, port, url } from '@gradeway/shared/config/readConfig';
import { processSettings } from '@gradeway/shared/config/serviceSettings';

/** Every environment variable that the gateway reads. */
export const settings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'Port that clients use' }),
  authUrl: url('AUTH_URL', { default: 'http://auth:8080', about: 'Address of auth' }),
  coursesUrl: url('COURSES_URL', { default: 'http://courses:8080', about: 'Address of courses' }),
  homeworkUrl: url('HOMEWORK_URL', { default: 'http://homework:8080', about: 'Address of homework' }),
  quizUrl: url('QUIZ_URL', { default: 'http://quiz:8080', about: 'Address of quiz' }),
  eventsUrl: url.optional('EVENTS_URL', {
    about: 'The broker, which announces revoked sessions immediately; unset, the gateway only polls auth',
  }),
  trustedProxies: count('TRUSTED_PROXIES', {
    default: '0',
    about: 'Number of trusted proxies in front of the gateway; other `X-Forwarded-*` entries are ignored',
  }),
  corsOrigins: list('CORS_ORIGINS', {
    default: ',',
    about: 'Allowed browser origins (CORS), separated by commas; none by default',
  }),
  rateLimit: count('RATE_LIMIT_PER_MINUTE', {
    default: '1200',
    about: 'Requests per minute and account, or per address without a token; 0 means no limit (D34)',
  }),
  loginLimit: count('LOGIN_LIMIT_PER_ADDRESS', {
    default: '100',
    about: 'Failed logins per 15 minutes and address; 0 means no limit (D34)',
  }),
  codeLimit: count('OTP_LIMIT_PER_ADDRESS', {
    default: '1000',
    about: 'Requests for one-time codes per 15 minutes and address; 0 means no limit (D50)',
  }),
  maxUploadBytes: bytes('MAX_UPLOAD_BYTES', {
    default: '26214400',
    about: 'Largest file (D28); a larger `Content-Length` is refused before the body is read',
  }),
  idleTimeout: duration('IDLE_TIMEOUT', {
    default: '15s',
    about: 'How long a service may be silent before the client gets 504',
  }),
  totalTimeout: duration('TOTAL_TIMEOUT', { default: '60s', about: 'Longest duration of a request' }),
  transferIdleTimeout: duration('TRANSFER_IDLE_TIMEOUT', {
    default: '2m',
    about: '`IDLE_TIMEOUT` for uploads and downloads, where the client may pause',
  }),
  transferTotalTimeout: duration('TRANSFER_TOTAL_TIMEOUT', {
    default: '30m',
    about: '`TOTAL_TIMEOUT` for uploads and downloads',
  }),
};

export type Config = ConfigOf<typeof settings>;
