import { address, bytes, count, duration, text } from '@gradeway/shared/config/readConfig';
import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { webhookSettings } from './webhooks/config.ts';

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = {
  ...serviceSettings,
  ...webhookSettings,
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
  importDirectory: text('IMPORT_DIR', {
    default: '/tmp/gradeway-import',
    about: 'Where an archive is while it is read; nothing stays there',
  }),
  importMaxBytes: bytes('IMPORT_MAX_BYTES', {
    default: '52428800',
    about: 'Largest archive of an import; the gateway lets through twice its `MAX_UPLOAD_BYTES`',
  }),
  importMaxRows: count('IMPORT_MAX_ROWS', { default: '100000', about: 'Most rows of an import' }),
  importMaxPasswords: count('IMPORT_MAX_PASSWORDS', {
    default: '2000',
    about: 'Most new accounts of an import with a password of their own: each takes some 20 ms to hash',
  }),
  importPlanTtl: duration('IMPORT_PLAN_TTL', {
    default: '24h',
    about: 'How long the token of a dry run is good, and its rows are kept',
  }),
};
