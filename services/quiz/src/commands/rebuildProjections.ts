import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { createClock } from '@gradeway/shared/http/timestamps';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { rebuildUserProjection } from '@gradeway/shared/projections/rebuildUserProjection';
import { referencedUsers } from '@gradeway/shared/submissions/referencedUsers';
import { republish } from '@gradeway/shared/submissions/republish';
import { republishWork } from '@gradeway/shared/submissions/republishWork';
import { settings } from '../config.ts';
import { defineModels } from '../data/models.ts';
import { QuizRepository } from '../data/quizRepository.ts';
import { SubmissionRepository } from '../data/submissionRepository.ts';
import { quizChanged } from '../events/quizEvents.ts';
import { submissionGraded, submissionUngraded } from '../events/submissionEvents.ts';
import { gradedQuizzes } from '../http/gradedQuizzes.ts';

/**
 * The republished events restore the gradebook of courses. Safe at any time: an older state never
 * overwrites a newer one.
 */
export const rebuildProjections = defineCommand({
  title: 'quiz: projections',
  summary: 'reloads all names, and republishes every quiz, submission, allowance and grade',
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
    const kind = gradedQuizzes(createClock(config.timeZone));
    const work = await republishWork({ sequelize, outbox, kind });
    const submissions = new SubmissionRepository(sequelize, models);
    const grades = await republish({
      sequelize,
      outbox,
      recordsAfter: (id, limit) => submissions.everGradedAfter(id, limit),
      toEvent: ({ quizTitle, ...submission }) =>
        submission.grade === null ? submissionUngraded(submission) : submissionGraded(submission, quizTitle),
    });
    const counts = `${work.submissions} submissions and ${work.allowances} allowances`;
    return `quiz: ${names} names loaded, ${grades} grades, ${republished} quizzes, ${counts} republished`;
  },
});
