import { annotatedFileRoutes } from '@gradeway/shared/annotatedPdf/annotatedFileRoutes';
import { annotatedSubmission } from '@gradeway/shared/annotatedPdf/annotatedSubmission';
import { fileRoutes } from '@gradeway/shared/files/fileRoutes';
import { gradingRoutes } from '@gradeway/shared/grading/gradingRoutes';
import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { downloadRoutes } from './downloadRoutes.ts';
import { studentRoutes } from './studentRoutes.ts';

/** Uploads may be slow. Calls to courses and to the database have much shorter limits. */
export const requestTimeoutMs = 10 * 60_000;

/** The service's HTTP application. It does not listen. */
export function createApp(dependencies: Dependencies): Express {
  const { log, health, gatewayKeys, files, signer, annotated, grading } = dependencies;
  return createHttpApp({ log, health, requestTimeoutMs, gatewayKeys }, [
    studentRoutes(dependencies),
    adminRoutes(dependencies),
    gradingRoutes(grading),
    downloadRoutes(dependencies),
    annotatedFileRoutes({
      service: 'homework',
      files,
      annotated,
      signer,
      findSubmission: (id) => annotatedSubmission(grading.details, id),
    }),
    fileRoutes({ service: 'homework', files, signer }),
  ]);
}
