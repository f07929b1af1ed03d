import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { rebuildUserProjection } from '@gradeway/shared/projections/rebuildUserProjection';
import { referencedUsers } from '@gradeway/shared/submissions/referencedUsers';
import { republish } from '@gradeway/shared/submissions/republish';
import { settings } from '../config.ts';
import { defineModels } from '../data/models.ts';
import { QuizRepository } from '../data/quizRepository.ts';
import { SubmissionRepository } from '../data/submissionRepository.ts';
import { quizChanged } from '../events/quizEvents.ts';
import { submissionGraded, submissionUngraded } from '../events/submissionEvents.ts';

/**
 * The republished quizzes and grades restore the gradebook of courses. Safe at any time: an older state never
 * overwrites a newer one.
 */
export const rebuildProjections = defineCommand({
  title: 'quiz: projections',
  summary: 'reloads all names, and republishes every quiz and every grade',
  settings,
  async work(context) {
    const { config, onStop } = context;
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'quiz projections', pool: 2 });
    onStop(() => sequelize.close());
    const names = await rebuildUserProjection(context, {
      service: 'quiz',
      sequelize,
      referenced: referencedUsers,
    });

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
  },
});
