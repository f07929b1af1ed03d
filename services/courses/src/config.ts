import { address } from '@gradeway/shared/readConfig';
import { serviceSettings } from '@gradeway/shared/serviceSettings';
import { webhookSettings } from './webhooks/settings.ts';

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = {
  ...serviceSettings,
  ...webhookSettings,
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
};
