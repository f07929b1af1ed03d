import { notFound } from '@gradeway/shared/errors/appError';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
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
    ],
    async requireReadable(reader) {
      if (!(await dependencies.homeworks.isShown(decodeReader(reader).classId))) throw notFound();
    },
  });
