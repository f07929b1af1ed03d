import { bytes, count, duration, flag, secret, text, url } from '../config/readConfig.ts';

/** Settings of a service that keeps files. */
export const fileSettings = {
  filesDirectory: text('FILES_DIR', {
    default: '/var/lib/gradeway/files',
    about: 'Where uploaded files are kept when there is no `S3_BUCKET`',
  }),
  s3Bucket: text.optional('S3_BUCKET', {
    about:
      'Bucket for uploaded files, which several replicas need; with `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` or a role',
  }),
  s3Endpoint: url.optional('S3_ENDPOINT', { about: 'Where the bucket is, when that is not Amazon' }),
  s3Region: text('S3_REGION', { default: 'us-east-1', about: 'Region of the bucket' }),
  s3Prefix: text.optional('S3_PREFIX', {
    about: 'Start of every key in the bucket, like `quiz/`; one for each service that shares it',
  }),
  s3ForcePathStyle: flag('S3_FORCE_PATH_STYLE', {
    default: '0',
    about: '1 names the bucket in the path and not in the host, as MinIO, Ceph and others want it',
  }),
  uploadDirectory: text('UPLOAD_DIR', {
    default: '/var/lib/gradeway/uploads',
    about: 'Where files are while they arrive; best on the same file system',
  }),
  fileUrlSecret: secret('FILE_URL_SECRET', { about: 'Key that signs this service’s file URLs' }),
  fileUrlTtl: duration('FILE_URL_TTL', { default: '1h', about: 'How long a file URL is good (D31)' }),
  maxUploadBytes: bytes('MAX_UPLOAD_BYTES', { default: '26214400', about: 'Largest file (D28)' }),
  pdfCheckTimeout: duration('PDF_CHECK_TIMEOUT', {
    default: '8s',
    about: 'A PDF that takes longer to check is refused',
  }),
  pdfCheckThreads: count('PDF_CHECK_THREADS', { default: '1', about: 'PDFs checked at once' }),
};
