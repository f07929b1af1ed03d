import type { Express, Router } from 'express';
import { annotatedFileRoutes } from '../annotatedPdf/annotatedFileRoutes.ts';
import { annotatedSubmission, type Viewer } from '../annotatedPdf/annotatedSubmission.ts';
import { fileRoutes } from '../files/fileRoutes.ts';
import { gradingRoutes } from '../grading/gradingRoutes.ts';
import { createHttpApp } from '../http/app.ts';
import { ownReviewRoutes } from '../questions/reviews/ownReviewRoutes.ts';
import type { SubmissionRoutes } from './dependencies.ts';

/** Uploads may be slow. Calls to courses and to the database have much shorter limits. */
export const requestTimeoutMs = 10 * 60_000;

// There is no caller, because data about the caller is not rendered.
const nobody = 0;

type FileRoutes = Parameters<typeof fileRoutes>[0];

interface Options {
  service: 'homework' | 'quiz';
  routes: Router[];
  /** See {@link fileRoutes}. */
  onFileOpened?: FileRoutes['onOpened'];
  requireReadable?: FileRoutes['requireReadable'];
}

/** Creates the HTTP application of a service with submissions: its own routes, grading, and files. It does not listen. */
export function createSubmissionApp(
  { log, health, gatewayKeys, files, signer, annotated, grading }: SubmissionRoutes,
  { service, routes, onFileOpened: onOpened, requireReadable }: Options,
): Express {
  const findSubmission = async (id: number, viewer: Viewer) =>
    annotatedSubmission(await grading.details.find(id, nobody), viewer);
  return createHttpApp({ log, health, requestTimeoutMs, gatewayKeys }, [
    ...routes,
    gradingRoutes(grading),
    ownReviewRoutes(grading),
    annotatedFileRoutes({ service, files, annotated, signer, findSubmission }),
    fileRoutes({ service, files, signer, onOpened, requireReadable }),
  ]);
}
