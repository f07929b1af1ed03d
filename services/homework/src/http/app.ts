import { handInRoutes } from '@gradeway/shared/items/handInRoutes';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { handInFiles } from '../domain/handInFiles.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { downloadRoutes } from './downloadRoutes.ts';
import { studentRoutes } from './studentRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'homework',
    routes: [
      studentRoutes(dependencies),
      adminRoutes(dependencies),
      downloadRoutes(dependencies),
      handInRoutes(dependencies, handInFiles(dependencies), dependencies.receiveSubmission),
    ],
  });
