import { requiresReauthentication } from '@gradeway/shared/config/reauthentication';
import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { address } from '@gradeway/shared/config/settingKinds';
import { replicaSettings } from '@gradeway/shared/database/replicaSettings';
import { importSettings } from './import/config.ts';
import { mailSettings } from './notifications/config.ts';
import { webhookSettings } from './webhooks/config.ts';

/** Every environment variable that this service reads. */
export const settings = {
  ...serviceSettings,
  ...replicaSettings,
  ...importSettings,
  ...mailSettings,
  ...webhookSettings,
  requiresReauthentication,
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
};
