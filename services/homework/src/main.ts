import { runProcess } from '@gradeway/shared/process/runProcess';
import { openSubmissionService } from '@gradeway/shared/submissions/openSubmissionService';
import { serveSubmissions } from '@gradeway/shared/submissions/serveSubmissions';
import { settings } from './config.ts';
import { courseSubmissionFiles } from './data/courseSubmissionFiles.ts';
import { HomeworkPages } from './data/homeworkPages.ts';
import { HomeworkRepository } from './data/homeworkRepository.ts';
import { defineModels } from './data/models.ts';
import { personalData } from './data/personalData.ts';
import { ProjectionRepository } from './data/projectionRepository.ts';
import { retentionQueries } from './data/retentionQueries.ts';
import { SubmissionQueries } from './data/submissionQueries.ts';
import { SubmissionRepository } from './data/submissionRepository.ts';
import { courseHandlers } from './events/courseEvents.ts';
import { createApp } from './http/app.ts';
import { gradedHomeworks } from './http/gradedHomeworks.ts';

await runProcess('homework', settings, async (context) => {
  const service = await openSubmissionService(context, {
    name: 'homework',
    migrations: new URL('../migrations/', import.meta.url),
    kind: () => gradedHomeworks,
    retentionQueries,
    other: { name: 'quiz', address: context.config.quizGrpc },
  });
  const { sequelize, lists } = service;
  const models = defineModels(sequelize);
  const projections = new ProjectionRepository(sequelize);
  const homeworks = new HomeworkRepository(sequelize, models, lists);
  await service.consume(courseHandlers({ projections, homeworks, outbox: service.dependencies.outbox }));
  const app = createApp({
    ...service.dependencies,
    projections,
    homeworks,
    homeworkPages: new HomeworkPages(lists),
    submissions: new SubmissionRepository(sequelize, models),
    submissionQueries: new SubmissionQueries(sequelize, lists),
    receiveAssignment: service.receivePdfs('file', 1),
    copyFile: service.copyFile,
    receiveSubmission: service.receivePdfs('files', 10),
  });
  await serveSubmissions(context, service, { app, courseFiles: courseSubmissionFiles, personalData });
});
