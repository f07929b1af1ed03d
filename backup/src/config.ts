import { flag, text, url } from '@gradeway/shared/config/settingKinds';

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
};
