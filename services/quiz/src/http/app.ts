import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { decodeReader } from '../domain/questionPdfReader.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'quiz',
    routes: [studentRoutes(dependencies), adminRoutes(dependencies)],
    onFileOpened: (reader, at) => dependencies.attemptStarts.recordFirst(decodeReader(reader), at),
  });
