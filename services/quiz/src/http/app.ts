import { notFound } from '@gradeway/shared/errors/appError';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { decodeReader } from '../domain/questionPdfReader.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';
import { teacherRoutes } from './teacherRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'quiz',
    routes: [studentRoutes(dependencies), adminRoutes(dependencies), teacherRoutes(dependencies)],
    async requireReadable(reader) {
      if (!(await dependencies.quizzes.isPublished(decodeReader(reader).quizId))) throw notFound();
    },
    onFileOpened: (reader, at) => dependencies.attemptStarts.recordFirst(decodeReader(reader), at),
  });
