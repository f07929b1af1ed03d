import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { republishGrades } from '@gradeway/shared/submissions/republishGrades';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { referencedUsers, SubmissionRepository } from './data/submissionRepository.ts';
import { submissionGraded } from './events/submissionGraded.ts';
import { submissionUngraded } from './events/submissionUngraded.ts';

/**
 * Reloads the user projection and republishes every grade, for the gradebook of courses. It may run at any time: an
 * older state never overwrites a newer one.
 */
await runCommand('quiz: projections', settings, async ({ config, log, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'quiz projections', pool: 2 });
  onStop('the database', () => sequelize.close());
  const { authGrpc: address, serviceSecret: secret } = config;
  const auth = createGrpcClient(AuthService, { address, secret, caller: 'quiz', callee: 'auth' });
  onStop('the connection to auth', () => auth.close());

  const userProjection = new UserProjection({ sequelize, auth, log, referenced: referencedUsers });
  onStop('the user projection', () => userProjection.close());
  const names = await userProjection.rebuild();

  const submissions = new SubmissionRepository(sequelize, defineModels(sequelize));
  const grades = await republishGrades({
    sequelize,
    // The relay of the running service publishes these events.
    outbox: createOutbox(sequelize),
    everGradedAfter: (id, limit) => submissions.everGradedAfter(id, limit),
    toEvent: ({ quizTitle, ...submission }) =>
      submission.grade === null ? submissionUngraded(submission) : submissionGraded(submission, quizTitle),
  });
  return `quiz: ${names} names loaded, ${grades} grades republished`;
});
