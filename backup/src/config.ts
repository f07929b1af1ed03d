import { processSettings } from '@gradeway/shared/config/serviceSettings';
import { flag, secret, text, url } from '@gradeway/shared/config/settingKinds';

/** The bucket outside the cluster in which encrypted backups are kept. */
export const bucketSettings = {
  bucketName: text.optional('BACKUP_S3_BUCKET', {
    about: 'Bucket of the backups; not the one with the files, and preferably of another account or provider',
  }),
  endpoint: url.optional('BACKUP_S3_ENDPOINT', {
    about: 'Endpoint of the object store with the backups; default: Amazon S3',
  }),
  region: text('BACKUP_S3_REGION', { default: 'us-east-1', about: 'Region of that bucket' }),
  prefix: text('BACKUP_S3_PREFIX', {
    default: 'gradeway/',
    about: 'Prefix of every key in that bucket, for installations that share it',
  }),
  forcePathStyle: flag('BACKUP_S3_FORCE_PATH_STYLE', {
    default: '0',
    about: '`1` puts that bucket in the path instead of the host name',
  }),
  accessKeyId: text.optional('BACKUP_S3_ACCESS_KEY_ID', {
    about: 'Credentials for that bucket; default: those that the AWS SDK finds',
  }),
  secretAccessKey: secret.optional('BACKUP_S3_SECRET_ACCESS_KEY', {
    about: 'The secret of `BACKUP_S3_ACCESS_KEY_ID`',
  }),
  recipient: text.optional('BACKUP_AGE_RECIPIENT', {
    about: 'Public age recipients, separated by spaces, for which backups in the bucket are encrypted',
  }),
  identity: secret.optional('BACKUP_AGE_IDENTITY', {
    about: 'The age identity that decrypts them: only for a restore; keep it outside the cluster',
  }),
};

/** The settings of `metrics`, a process that runs until it is stopped. */
export const metricsSettings = {
  host: processSettings.host,
  adminPort: processSettings.adminPort,
  logLevel: processSettings.logLevel,
  shutdownDelay: processSettings.shutdownDelay,
  shutdownTimeout: processSettings.shutdownTimeout,
  ...bucketSettings,
};

/** The settings of `check-restore`. */
export const checkSettings = {
  checkDatabaseUrl: url.optional('BACKUP_CHECK_DATABASE_URL', {
    about:
      'Postgres URL of an empty database with the roles and schemas, of which `check-restore` makes a copy; not on the server of the installation',
  }),
  ...bucketSettings,
};

/** Every environment variable that the command reads. */
export const settings = {
  databaseUrl: url('BACKUP_DATABASE_URL', {
    about:
      'Postgres URL: for a backup, with a role that has `pg_read_all_data`; for a restore, with one that may act as the roles of the services',
  }),
  erasureList: text.optional('ERASURE_LIST', {
    about: 'The file in which auth lists erasures, so that a restore can repeat them',
  }),
  homeworkFiles: text('HOMEWORK_FILES_DIR', {
    default: '/var/lib/gradeway/homework/kept',
    about: 'Directory of the files of homework; unused with `S3_BUCKET`',
  }),
  quizFiles: text('QUIZ_FILES_DIR', {
    default: '/var/lib/gradeway/quiz/kept',
    about: 'Directory of the files of quiz; unused with `S3_BUCKET`',
  }),
  s3Bucket: text.optional('S3_BUCKET', { about: 'Bucket of the files of both services' }),
  s3Endpoint: url.optional('S3_ENDPOINT', { about: 'Endpoint of the object store; default: Amazon S3' }),
  s3Region: text('S3_REGION', { default: 'us-east-1', about: 'Region of the bucket' }),
  s3ForcePathStyle: flag('S3_FORCE_PATH_STYLE', {
    default: '0',
    about: '`1` puts the bucket in the path instead of the host name',
  }),
  homeworkS3Prefix: text('HOMEWORK_S3_PREFIX', {
    default: 'homework/',
    about: '`S3_PREFIX` of homework',
  }),
  quizS3Prefix: text('QUIZ_S3_PREFIX', { default: 'quiz/', about: '`S3_PREFIX` of quiz' }),
  ...metricsSettings,
  ...checkSettings,
};
