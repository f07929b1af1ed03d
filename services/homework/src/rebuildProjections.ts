import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { connectCourses } from './clients/coursesClient.ts';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { ProjectionRepository } from './data/projectionRepository.ts';
import { referencedUsers, SubmissionRepository } from './data/submissionRepository.ts';
import { refreshProjections } from './domain/refreshProjections.ts';
import { republishGrades } from './domain/republishGrades.ts';

/**
 * Fetches every name, class and course anew, and tells every grade again for those who keep them (the gradebook of
 * courses). Safe at any time: an older state never overwrites a newer one.
 */
await runCommand('homework: projections', settings, async ({ config, log, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'homework projections', pool: 2 });
  onStop('the database', () => sequelize.close());
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: 'homework', callee: 'auth' });
  onStop('the connection to auth', () => auth.close());
  const courses = connectCourses({ address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the names', () => userProjection.close());
  const names = await userProjection.rebuild();
  const known = await refreshProjections({ courses, projections: new ProjectionRepository(sequelize) });

  // The relay of the running service publishes what is left in the outbox here.
  const outbox = createOutbox(sequelize, () => {});
  const submissions = new SubmissionRepository(sequelize, defineModels(sequelize));
  const grades = await republishGrades({ sequelize, submissions, outbox });
  const fetched = `${names} names, ${known.classes} classes and ${known.courses} courses fetched`;
  return `homework: ${fetched}, ${grades} grades told again`;
});
