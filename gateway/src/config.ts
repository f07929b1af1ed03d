import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import { processSettings } from '@gradeway/shared/config/serviceSettings';
import { bytes, count, duration, list, port, text, url } from '@gradeway/shared/config/settingKinds';

/** Every environment variable that the gateway reads. */
export const settings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'Port that clients use' }),
  authUrl: url('AUTH_URL', { default: 'http://auth:8080', about: 'Address of auth' }),
  coursesUrl: url('COURSES_URL', { default: 'http://courses:8080', about: 'Address of courses' }),
  homeworkUrl: url('HOMEWORK_URL', { default: 'http://homework:8080', about: 'Address of homework' }),
  quizUrl: url('QUIZ_URL', { default: 'http://quiz:8080', about: 'Address of quiz' }),
  eventsUrl: url.optional('EVENTS_URL', {
    about: 'The broker, which delivers revocations immediately; without it, the gateway only polls auth',
  }),
  trustedProxies: count('TRUSTED_PROXIES', {
    default: '0',
    about: 'Number of trusted proxies in front of the gateway; other `X-Forwarded-*` entries are ignored',
  }),
  publicUrl: url.optional('PUBLIC_URL', {
    about:
      'Address of the web application; only its pages may use browser sessions; default: the scheme and host that the client used',
  }),
  webDirectory: text.optional('WEB_DIR', {
    about: 'Directory of the built web application; default: `web/dist` in the folder of the gateway',
  }),
  webLimit: count('WEB_LIMIT_PER_MINUTE', {
    default: '60000',
    about: 'Files and pages of the web application per minute and address; 0 means no limit',
  }),
  refreshWindow: duration('REFRESH_WINDOW', {
    default: '14d',
    about:
      'How long the cookie of a browser session outlives its token: as long as auth refreshes an expired token (D12)',
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
  openPerUser: count('OPEN_REQUESTS_PER_USER', {
    default: '256',
    about:
      'Requests of one account, except uploads and downloads, in progress at the same time; 0 means no limit',
  }),
  openPerAddress: count('OPEN_REQUESTS_PER_ADDRESS', {
    default: '512',
    about:
      'Requests without a token of one address, except uploads and downloads, in progress at the same time; 0 means no limit',
  }),
  transfersPerUser: count('TRANSFERS_PER_USER', {
    default: '16',
    about: 'Uploads and downloads of one account in progress at the same time; 0 means no limit (D60)',
  }),
  idleConnections: count('MAX_IDLE_CONNECTIONS', {
    default: '4000',
    about:
      'Maximum number of connections without a request in progress; beyond it the longest idle one is closed; 0 means no limit',
  }),
  bodyTimeout: duration('BODY_TIMEOUT', {
    default: '15s',
    about: 'How long a body that is not a file may take to arrive before the client gets 408 (D53)',
  }),
  uploadRate: bytes('UPLOAD_MIN_RATE', {
    default: '1024',
    about: 'Bytes per second that an upload must reach; slower for `UPLOAD_MAX_PAUSE`, the client gets 408',
  }),
  downloadRate: bytes('DOWNLOAD_RATE', {
    default: '8192',
    about:
      'Bytes per second at which a client must receive a download; slower for `UPLOAD_MAX_PAUSE`, its connection is closed (D60)',
  }),
  transferPause: duration('UPLOAD_MAX_PAUSE', {
    default: '30s',
    about:
      'How long an upload may pause before the client gets 408, and how long a download may before its connection is closed',
  }),
  idleTimeout: duration('IDLE_TIMEOUT', {
    default: '15s',
    about:
      'How long a service may send nothing, or a request may wait for a connection to it, before the client gets 503 or 504',
  }),
  totalTimeout: duration('TOTAL_TIMEOUT', { default: '60s', about: 'Longest duration of a request' }),
  transferIdleTimeout: duration('TRANSFER_IDLE_TIMEOUT', {
    default: '2m',
    about: '`IDLE_TIMEOUT` for uploads and downloads that have a connection',
  }),
  transferTotalTimeout: duration('TRANSFER_TOTAL_TIMEOUT', {
    default: '30m',
    about: '`TOTAL_TIMEOUT` for uploads and downloads',
  }),
};

export type Config = ConfigOf<typeof settings>;
