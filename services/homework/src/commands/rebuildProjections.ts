import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { rebuildUserProjection } from '@gradeway/shared/projections/rebuildUserProjection';
import { connectCourses } from '@gradeway/shared/submissions/coursesClient';
import { referencedUsers } from '@gradeway/shared/submissions/referencedUsers';
import { republish } from '@gradeway/shared/submissions/republish';
import { republishWork } from '@gradeway/shared/submissions/republishWork';
import { settings } from '../config.ts';
import { HomeworkRepository } from '../data/homeworkRepository.ts';
import { defineModels } from '../data/models.ts';
import { ProjectionRepository } from '../data/projectionRepository.ts';
import { SubmissionRepository } from '../data/submissionRepository.ts';
import { refreshProjections } from '../domain/refreshProjections.ts';
import { isReviewed } from '../domain/submission.ts';
import { homeworkChanged } from '../events/homeworkEvents.ts';
import { submissionGraded, submissionUngraded } from '../events/submissionEvents.ts';
import { gradedHomeworks } from '../http/gradedHomeworks.ts';

/**
 * The republished events restore the gradebook of courses. Safe at any time: an older state never overwrites a newer one.
 */
export const rebuildProjections = defineCommand({
  title: 'homework: projections',
  summary:
    'reloads all names, classes and courses, and republishes every assignment, submission, allowance and grade',
  settings,
  async work(context) {
    const { config, onStop } = context;
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'homework projections', pool: 2 });
    onStop(() => sequelize.close());
    const courses = connectCourses({
      caller: 'homework',
      address: config.coursesGrpc,
      secret: config.serviceSecret,
    });
    onStop(() => courses.close());

    const names = await rebuildUserProjection(context, {
      service: 'homework',
      sequelize,
      referenced: referencedUsers,
    });
    const loaded = await refreshProjections({ courses, projections: new ProjectionRepository(sequelize) });

    const models = defineModels(sequelize);
    // The relay of the running service publishes these events.
    const outbox = createOutbox(sequelize);
    const homeworks = new HomeworkRepository(sequelize, models);
    const republished = await republish({
      sequelize,
      outbox,
      recordsAfter: (id, limit) => homeworks.after(id, limit),
      toEvent: homeworkChanged,
    });
    const work = await republishWork({ sequelize, outbox, kind: gradedHomeworks });
    const submissions = new SubmissionRepository(sequelize, models);
    const grades = await republish({
      sequelize,
      outbox,
      recordsAfter: (id, limit) => submissions.everGradedAfter(id, limit),
      toEvent: ({ title, courseId, ...submission }) =>
        isReviewed(submission)
          ? submissionGraded(submission, { title, courseId })
          : submissionUngraded(submission, courseId),
    });
    const counts = `${names} names, ${loaded.classes} classes and ${loaded.courses} courses loaded`;
    const works = `${work.submissions} submissions and ${work.allowances} allowances`;
    return `homework: ${counts}, ${grades} grades, ${republished} assignments, ${works} republished`;
  },
});
