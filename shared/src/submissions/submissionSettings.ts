import { address } from '../config/readConfig.ts';
import { serviceSettings } from '../config/serviceSettings.ts';
import { replicaSettings } from '../database/replicaSettings.ts';
import { fileSettings } from '../files/fileSettings.ts';
import { gradingSettings } from '../grading/gradingSettings.ts';
import { retentionSettings } from '../retention/retentionSettings.ts';

/** Settings of a service that stores submissions. */
export const submissionSettings = {
  ...serviceSettings,
  ...replicaSettings,
  ...fileSettings,
  ...retentionSettings,
  ...gradingSettings,
  coursesGrpc: address('COURSES_GRPC', { default: 'courses:9090', about: 'gRPC address of courses' }),
};
