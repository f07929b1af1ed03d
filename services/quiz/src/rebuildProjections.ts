import { AuthService } from '@gradeway/proto/auth';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { UserProjection } from '@gradeway/shared/projections/userProjection';
import { referencedUsers } from '@gradeway/shared/submissions/referencedUsers';
import { republish } from '@gradeway/shared/submissions/republish';
import { settings } from './config.ts';
import { defineModels } from './data/models.ts';
import { QuizRepository } from './data/quizRepository.ts';
import { SubmissionRepository } from './data/submissionRepository.ts';
import { quizChanged } from './events/quizEvents.ts';
import { submissionGraded, submissionUngraded } from './events/submissionEvents.ts';

/**
 * Reloads the user projection and republishes every quiz and every grade, for the gradebook of courses. It may run at any time: an
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

  const models = defineModels(sequelize);
  // The relay of the running service publishes these events.
  const outbox = createOutbox(sequelize);
  const quizzes = new QuizRepository(sequelize, models);
  const republished = await republish({
    sequelize,
    outbox,
    recordsAfter: (id, limit) => quizzes.after(id, limit),
    toEvent: quizChanged,
  });
  const submissions = new SubmissionRepository(sequelize, models);
  const grades = await republish({
    sequelize,
    outbox,
    recordsAfter: (id, limit) => submissions.everGradedAfter(id, limit),
    toEvent: ({ quizTitle, ...submission }) =>
      submission.grade === null ? submissionUngraded(submission) : submissionGraded(submission, quizTitle),
  });
  return `quiz: ${names} names loaded, ${grades} grades and ${republished} quizzes republished`;
});
