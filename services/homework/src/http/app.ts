import { notFound } from '@gradeway/shared/errors/appError';
import { handInRoutes } from '@gradeway/shared/items/handInRoutes';
import { ownPagesRoutes } from '@gradeway/shared/questions/pages/ownPagesRoutes';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { handInFiles } from '../domain/handInFiles.ts';
import { requireWithinPagesWindow } from '../domain/pagesWindow.ts';
import { adminRoutes } from './adminRoutes.ts';
import { decodeReader } from './assignmentReader.ts';
import type { Dependencies } from './dependencies.ts';
import { downloadRoutes } from './downloadRoutes.ts';
import { studentRoutes } from './studentRoutes.ts';
import { teacherRoutes } from './teacherRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'homework',
    routes: [
      studentRoutes(dependencies),
      adminRoutes(dependencies),
      downloadRoutes(dependencies),
      teacherRoutes(dependencies),
      ownPagesRoutes(dependencies.grading, {
        requireWithinPagesWindow: (submission, at) => requireWithinPagesWindow(dependencies, submission, at),
      }),
      handInRoutes(dependencies, handInFiles(dependencies), dependencies.receiveSubmission),
    ],
    async requireReadable(reader) {
      if (!(await dependencies.homeworks.isShown(decodeReader(reader).classId))) throw notFound();
    },
  });
