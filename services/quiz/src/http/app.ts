import { fileRoutes } from '@gradeway/shared/files/fileRoutes';
import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import { openingBy } from '../domain/questionLink.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';

// An upload may take its time; whatever asks courses or the database has its own, much shorter limits.
const requestTimeoutMs = 10 * 60_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(dependencies: Dependencies): Express {
  const { log, health, files, signer, starts } = dependencies;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(dependencies),
    adminRoutes(dependencies),
    fileRoutes({
      ...{ service: 'quiz', files, signer },
      onOpened: (reader, at) => starts.note(openingBy(reader), at),
    }),
  ]);
}
