import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { connectCourses } from '@gradeway/shared/submissions/coursesClient';
import { referencedUsers } from '@gradeway/shared/submissions/referencedUsers';
import { republish } from '@gradeway/shared/submissions/republish';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { ProjectionRepository } from './data/projectionRepository.ts';
import { SubmissionRepository } from './data/submissionRepository.ts';
import { refreshProjections } from './domain/refreshProjections.ts';
import { isReviewed } from './domain/submission.ts';
import { submissionGraded, submissionUngraded } from './events/submissionEvents.ts';

/**
 * Reloads all projected users, classes and courses, and republishes every grade, for the gradebook of courses. It may
 * run at any time: an older state never overwrites a newer one.
 */
await runCommand('homework: projections', settings, async ({ config, log, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'homework projections', pool: 2 });
  onStop('the database', () => sequelize.close());
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: 'homework', callee: 'auth' });
  onStop('the connection to auth', () => auth.close());
  const courses = connectCourses({ caller: 'homework', address: config.coursesGrpc, secret });
  onStop('the connection to courses', () => courses.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the user projection', () => userProjection.close());
  const names = await userProjection.rebuild();
  const loaded = await refreshProjections({ courses, projections: new ProjectionRepository(sequelize) });

  const submissions = new SubmissionRepository(sequelize, defineModels(sequelize));
  const grades = await republish({
    sequelize,
    // The relay of the running service publishes these events.
    outbox: createOutbox(sequelize),
    recordsAfter: (id, limit) => submissions.everGradedAfter(id, limit),
    toEvent: ({ title, courseId, ...submission }) =>
      isReviewed(submission)
        ? submissionGraded(submission, { title, courseId })
        : submissionUngraded(submission, courseId),
  });
  const counts = `${names} names, ${loaded.classes} classes and ${loaded.courses} courses loaded`;
  return `homework: ${counts}, ${grades} grades republished`;
});
