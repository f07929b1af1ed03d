import { address, flag } from '@gradeway/shared/config/settingKinds';
import { submissionSettings } from '@gradeway/shared/submissions/submissionSettings';

/** Every variable that this service reads. No other file reads the environment. */
export const settings = {
  ...submissionSettings,
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  trustClientClock: flag('QUIZ_TRUST_CLIENT_CLOCK', {
    default: '1',
    about:
      'Whether an attempt starts at the `start_at` that the student sends; with `0`, it starts when the question PDF is first opened',
  }),
};
