import {
  countFrom,
  duration,
  durations,
  smtpUrl,
  text,
  timeOfDay,
} from '@gradeway/shared/config/settingKinds';

export const mailSettings = {
  smtpUrl: smtpUrl.optional('SMTP_URL', {
    about:
      'Mail server for messages to students and teachers; if unset, none are sent. Requires `PUBLIC_URL`',
  }),
  mailFrom: text('MAIL_FROM', {
    default: 'Gradeway <no-reply@gradeway.invalid>',
    about: 'Sender of the messages',
  }),
  mailPerMinute: countFrom(1)('MAIL_PER_MINUTE', {
    default: '300',
    about: 'Maximum number of messages per minute, of all replicas together',
  }),
  digestAt: timeOfDay('DIGEST_AT', {
    default: '17:00',
    about: 'When digests are sent, in `APP_TIMEZONE`',
  }),
  mailGradesDelay: duration('MAIL_GRADES_DELAY', {
    default: '10m',
    about: 'How long a message about grades waits for further gradings, and for grades to be withheld again',
  }),
  mailTimeout: duration('MAIL_TIMEOUT', {
    default: '15s',
    about: 'Time limit for handing a message to the mail server; must be less than `SHUTDOWN_TIMEOUT`',
  }),
  mailRetrySchedule: durations('MAIL_RETRY_SCHEDULE', {
    default: '1m,4m,15m,30m,1h,2h,4h',
    about:
      'Delay after each failed attempt to send a message; the last one repeats until `MAIL_GIVE_UP_AFTER`',
  }),
  mailGiveUpAfter: duration('MAIL_GIVE_UP_AFTER', {
    default: '24h',
    about: 'How long a message is retried',
  }),
};
