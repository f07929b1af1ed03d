import { runProcess } from '@gradeway/shared/process/runProcess';
import { openSubmissionService } from '@gradeway/shared/submissions/openSubmissionService';
import { serveSubmissions } from '@gradeway/shared/submissions/serveSubmissions';
import { settings } from './config.ts';
import { AttemptStartRepository } from './data/attemptStartRepository.ts';
import { courseSubmissionFiles } from './data/courseSubmissionFiles.ts';
import { defineModels } from './data/models.ts';
import { personalData } from './data/personalData.ts';
import { QuizPages } from './data/quizPages.ts';
import { QuizRepository } from './data/quizRepository.ts';
import { retentionQueries } from './data/retentionQueries.ts';
import { SubmissionQueries } from './data/submissionQueries.ts';
import { SubmissionRepository } from './data/submissionRepository.ts';
import { createApp } from './http/app.ts';
import { gradedQuizzes } from './http/gradedQuizzes.ts';

await runProcess('quiz', settings, async (context) => {
  const service = await openSubmissionService(context, {
    name: 'quiz',
    migrations: new URL('../migrations/', import.meta.url),
    kind: gradedQuizzes,
    retentionQueries,
    other: { name: 'homework', address: context.config.homeworkGrpc },
  });
  await service.consume({});
  const { sequelize, lists } = service;
  const models = defineModels(sequelize);
  const app = createApp({
    ...service.dependencies,
    quizzes: new QuizRepository(sequelize, models, lists),
    quizPages: new QuizPages(lists),
    attemptStarts: new AttemptStartRepository(sequelize),
    submissions: new SubmissionRepository(sequelize, models, lists),
    submissionQueries: new SubmissionQueries(sequelize),
    trustClientClock: context.config.trustClientClock,
    receiveForm: service.receivePdfs('file', 1),
    copyFile: service.copyFile,
  });
  await serveSubmissions(context, service, { app, courseFiles: courseSubmissionFiles, personalData });
});
