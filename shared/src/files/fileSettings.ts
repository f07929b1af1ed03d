import { bytes, count, duration, secret, text } from '../readConfig.ts';

/** Settings of a service that keeps files. */
export const fileSettings = {
  filesDirectory: text('FILES_DIR', {
    default: '/var/lib/gradeway/files',
    about: 'Where uploaded files are kept',
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
