import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import { processSettings } from '@gradeway/shared/config/serviceSettings';
import {
  bytes,
  count,
  duration,
  list,
  port,
  text,
  url,
  valkeyUrl,
} from '@gradeway/shared/config/settingKinds';

/** Every environment variable that the gateway reads. */
export const settings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'Port that clients use' }),
  authUrl: url('AUTH_URL', { default: 'http://auth:8080', about: 'Address of auth' }),
  coursesUrl: url('COURSES_URL', { default: 'http://courses:8080', about: 'Address of courses' }),
  homeworkUrl: url('HOMEWORK_URL', { default: 'http://homework:8080', about: 'Address of homework' }),
  quizUrl: url('QUIZ_URL', { default: 'http://quiz:8080', about: 'Address of quiz' }),
  eventsUrl: url.optional('EVENTS_URL', {
    about: 'Broker that delivers revocations immediately; if unset, they come only from auth',
  }),
  trustedProxies: count('TRUSTED_PROXIES', {
    default: '0',
    about: 'Number of trusted proxies in front of the gateway; other `X-Forwarded-*` entries are ignored',
  }),
  publicUrl: url.optional('PUBLIC_URL', {
    about:
      'URL of the web application; only its pages may use browser sessions; default: scheme and host of the request',
  }),
  webDirectory: text.optional('WEB_DIR', {
    about: "Directory of the built web application; default: `web/dist` in the gateway's folder",
  }),
  webLimit: count('WEB_LIMIT_PER_MINUTE', {
    default: '60000',
    about: 'Requests for files and pages of the web application per minute and address; 0 means no limit',
  }),
  refreshWindow: duration('REFRESH_WINDOW', {
    default: '14d',
    about:
      'How long the cookie of a browser session outlives its token; the same as `REFRESH_WINDOW` of auth (D12)',
  }),
  corsOrigins: list('CORS_ORIGINS', {
    default: ',',
    about: 'Allowed browser origins (CORS), separated by commas; none by default',
  }),
  rateLimit: count('RATE_LIMIT_PER_MINUTE', {
    default: '1200',
    about:
      'Requests per minute and account, token for programs, or address without a token; 0 means no limit (D34)',
  }),
  loginLimit: count('LOGIN_LIMIT_PER_ADDRESS', {
    default: '100',
    about: 'Failed logins per 15 minutes and address; 0 means no limit (D34)',
  }),
  codeLimit: count('OTP_LIMIT_PER_ADDRESS', {
    default: '1000',
    about: 'Requests for one-time codes per 15 minutes and address; 0 means no limit (D50)',
  }),
  rateLimitUrl: valkeyUrl.optional('RATE_LIMIT_URL', {
    about:
      'Valkey or Redis server in which all replicas count requests and failed logins together; if unset, each replica counts separately (D34)',
  }),
  maxUploadBytes: bytes('MAX_UPLOAD_BYTES', {
    default: '26214400',
    about: 'Maximum size of a file (D28); a larger `Content-Length` is rejected before the body is read',
  }),
  openPerUser: count('OPEN_REQUESTS_PER_USER', {
    default: '256',
    about: 'Maximum concurrent requests per account, excluding uploads and downloads; 0 means no limit',
  }),
  openPerAddress: count('OPEN_REQUESTS_PER_ADDRESS', {
    default: '512',
    about:
      'Maximum concurrent requests without a token per address, excluding uploads and downloads; 0 means no limit',
  }),
  transfersPerUser: count('TRANSFERS_PER_USER', {
    default: '16',
    about: 'Maximum concurrent uploads and downloads per account; 0 means no limit (D60)',
  }),
  idleConnections: count('MAX_IDLE_CONNECTIONS', {
    default: '4000',
    about:
      'Maximum number of connections without a request in progress; beyond it, the connection that has been idle longest is closed; 0 means no limit',
  }),
  bodyTimeout: duration('BODY_TIMEOUT', {
    default: '15s',
    about: 'Time limit for a body other than a file to arrive; after it, the client gets 408 (D53)',
  }),
  uploadRate: bytes('UPLOAD_MIN_RATE', {
    default: '1024',
    about: 'Minimum bytes per second of an upload; below it for `UPLOAD_MAX_PAUSE`, the client gets 408',
  }),
  downloadRate: bytes('DOWNLOAD_RATE', {
    default: '8192',
    about:
      'Minimum bytes per second of a download; below it for `UPLOAD_MAX_PAUSE`, the connection is closed (D60)',
  }),
  transferPause: duration('UPLOAD_MAX_PAUSE', {
    default: '30s',
    about:
      'How long an upload may pause before the client gets 408, and a download before its connection is closed',
  }),
  idleTimeout: duration('IDLE_TIMEOUT', {
    default: '15s',
    about:
      'How long a service may send nothing, or a request may wait for a connection to it, before the client gets 503 or 504',
  }),
  totalTimeout: duration('TOTAL_TIMEOUT', { default: '60s', about: 'Maximum duration of a request' }),
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
