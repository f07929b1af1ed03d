import { bytes, countFrom, duration, flag, secret, text, url } from '../config/settingKinds.ts';

/** Settings of a service that stores files. */
export const fileSettings = {
  filesDirectory: text('FILES_DIR', {
    default: '/var/lib/gradeway/files',
    about: 'Directory of uploaded files; unused with `S3_BUCKET`',
  }),
  s3Bucket: text.optional('S3_BUCKET', {
    about:
      'Bucket of uploaded files, required for several replicas; credentials: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or a role',
  }),
  s3Endpoint: url.optional('S3_ENDPOINT', { about: 'Endpoint of the object store; default: Amazon S3' }),
  s3Region: text('S3_REGION', { default: 'us-east-1', about: 'Region of the bucket' }),
  s3Prefix: text.optional('S3_PREFIX', {
    about: 'Prefix of every key, such as `quiz/`; each service that shares a bucket has its own',
  }),
  s3ForcePathStyle: flag('S3_FORCE_PATH_STYLE', {
    default: '0',
    about: '`1` puts the bucket in the path instead of the host name, as MinIO, Ceph and others require',
  }),
  uploadDirectory: text('UPLOAD_DIR', {
    default: '/var/lib/gradeway/uploads',
    about: 'Directory of uploads in progress; preferably on the same file system as `FILES_DIR`',
  }),
  fileUrlSecret: secret('FILE_URL_SECRET', { about: 'Key that signs the file URLs of this service' }),
  fileUrlSecretSecondary: secret.optional('FILE_URL_SECRET_SECONDARY', {
    about:
      'A second secret, whose file URLs are also valid while `FILE_URL_SECRET` is being replaced: the next or the previous one',
  }),
  fileUrlTtl: duration('FILE_URL_TTL', { default: '1h', about: 'Lifetime of a file URL (D31)' }),
  maxUploadBytes: bytes('MAX_UPLOAD_BYTES', {
    default: '26214400',
    about: 'Maximum size of an uploaded file (D28)',
  }),
  uploadsPerUser: countFrom(1)('UPLOADS_PER_USER', {
    default: '4',
    about:
      'Maximum unfinished uploads per user; together they use at most this many times `MAX_UPLOAD_BYTES` of disk (D46)',
  }),
  uploadsAtOnce: countFrom(1)('UPLOADS_AT_ONCE', {
    default: '16',
    about:
      'Maximum uploads in progress; others wait before their body is read and are admitted round-robin by user (D67)',
  }),
  replacedFilesKept: countFrom(0)('REPLACED_FILES_KEPT', {
    default: '5',
    about: 'How many of the newest replaced files of a submission keep their bytes (D49)',
  }),
  pdfCheckCpuSeconds: countFrom(1)('PDF_CHECK_CPU_SECONDS', {
    default: '8',
    about:
      'Maximum CPU time of a PDF check, and of rendering an annotated PDF; a PDF that needs more is rejected (D47)',
  }),
  pdfCheckMemoryMb: countFrom(64)('PDF_CHECK_MEMORY_MB', {
    default: '192',
    about:
      'Maximum memory of a PDF check, and of rendering an annotated PDF, at least 64; a PDF that needs more is rejected (D47)',
  }),
  pdfCheckThreads: countFrom(1)('PDF_CHECK_THREADS', {
    default: '2',
    about:
      'Maximum number of PDFs checked or rendered concurrently, each in its own process; one fewer for a single user',
  }),
};
