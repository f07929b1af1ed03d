import { address } from '@gradeway/shared/config/settingKinds';
import { submissionSettings } from '@gradeway/shared/submissions/submissionSettings';

/** Every variable that this service reads. No other file reads the environment. */
export const settings = {
  ...submissionSettings,
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
};
