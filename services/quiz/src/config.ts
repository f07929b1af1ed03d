import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { address, flag } from '@gradeway/shared/config/settingKinds';
import { replicaSettings } from '@gradeway/shared/database/replicaSettings';
import { fileSettings } from '@gradeway/shared/files/fileSettings';
import { gradingSettings } from '@gradeway/shared/grading/gradingSettings';
import { retentionSettings } from '@gradeway/shared/retention/retentionSettings';

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = {
  ...serviceSettings,
  ...replicaSettings,
  ...fileSettings,
  ...retentionSettings,
  ...gradingSettings,
  coursesGrpc: address('COURSES_GRPC', { default: 'courses:9090', about: 'gRPC address of courses' }),
  trustClientClock: flag('QUIZ_TRUST_CLIENT_CLOCK', {
    default: '1',
    about:
      'Whether an attempt starts at the `start_at` that the student sends; with `0`, it starts when the question PDF is first opened',
  }),
};
