import { handInRoutes } from '@gradeway/shared/items/handInRoutes';
import { createSubmissionApp } from '@gradeway/shared/submissions/createSubmissionApp';
import type { Express } from 'express';
import { handInSheet } from '../domain/handInSheet.ts';
import { decodeReader } from '../domain/questionPdfReader.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';

/** The service's HTTP application. It does not listen. */
export const createApp = (dependencies: Dependencies): Express =>
  createSubmissionApp(dependencies, {
    service: 'quiz',
    routes: [
      studentRoutes(dependencies),
      adminRoutes(dependencies),
      handInRoutes(dependencies, handInSheet(dependencies), dependencies.receiveForm),
    ],
    onFileOpened: (reader, at) => dependencies.attemptStarts.recordFirst(decodeReader(reader), at),
  });
