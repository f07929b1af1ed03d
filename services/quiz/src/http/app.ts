import { notFound } from '@gradeway/shared/errors/appError';
import { handInRoutes } from '@gradeway/shared/items/handInRoutes';
import { ownPagesRoutes } from '@gradeway/shared/questions/pages/ownPagesRoutes';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { handInSheet } from '../domain/handInSheet.ts';
import { requireWithinPagesWindow } from '../domain/pagesWindow.ts';
import { decodeReader } from '../domain/questionPdfReader.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';
import { teacherRoutes } from './teacherRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'quiz',
    routes: [
      studentRoutes(dependencies),
      adminRoutes(dependencies),
      teacherRoutes(dependencies),
      ownPagesRoutes(dependencies.grading, {
        requireWithinPagesWindow: (submission, at) => requireWithinPagesWindow(dependencies, submission, at),
      }),
      handInRoutes(dependencies, handInSheet(dependencies), dependencies.receiveForm),
    ],
    async requireReadable(reader) {
      if (!(await dependencies.quizzes.isPublished(decodeReader(reader).quizId))) throw notFound();
    },
    onFileOpened: (reader, at) => dependencies.attemptStarts.recordFirst(decodeReader(reader), at),
  });
