import type { Express } from 'express';
import type { Sequelize } from 'sequelize';
import { rubricFinder } from '../grading/sharedRubric.ts';
import { createCopies } from './annotatedCopies.ts';
import { countSubmissions } from './countSubmissions.ts';
import { requestTimeoutMs } from './createSubmissionApp.ts';
import { openPersonalSubmissions } from './openPersonalSubmissions.ts';
import type { SubmissionContext, SubmissionService, SubmissionServiceName } from './openSubmissionService.ts';
import type { PersonalSubmissions } from './personalSubmissions.ts';
import type { SubmittedFile } from './streamSubmissions.ts';
import { submissionsService } from './submissionsService.ts';

interface Options {
  app: Express;
  /** Lists the files of a course, with the files of each submission next to each other. */
  courseFiles(sequelize: Sequelize, courseId: number): AsyncIterable<SubmittedFile>;
  personalData: PersonalSubmissions;
}

/** Starts the servers of a service with submissions: first gRPC, with the exports for courses and auth, then HTTP. */
export async function serveSubmissions<Name extends SubmissionServiceName>(
  context: SubmissionContext,
  { name, sequelize, broker, renderer, dependencies, ...service }: SubmissionService<Name>,
  { app, courseFiles, personalData }: Options,
): Promise<void> {
  const { files, grading } = dependencies;
  const exports = submissionsService(files, {
    files: (courseId) => courseFiles(sequelize, courseId),
    counts: (courseIds) => countSubmissions(sequelize, grading.kind.tables, courseIds),
    findRubric: rubricFinder(grading),
    renderCopy: createCopies({ details: grading.details, renderer }),
  });
  const options = { service: name, sequelize, broker, files, personalData };
  await service.serveGrpc(exports, openPersonalSubmissions(context, options));
  await service.serveHttp(app, requestTimeoutMs);
}
