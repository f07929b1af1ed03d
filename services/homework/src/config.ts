import { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { address } from '@gradeway/shared/config/settingKinds';
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
};
