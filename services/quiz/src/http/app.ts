import { fileRoutes } from '@gradeway/shared/files/fileRoutes';
import { createHttpApp } from '@gradeway/shared/httpApp';
import type { Express } from 'express';
import { openingBy } from '../domain/questionLink.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { Parts } from './parts.ts';
import { studentRoutes } from './studentRoutes.ts';

// An upload may take its time; whatever asks courses or the database has its own, much shorter limits.
const requestTimeoutMs = 10 * 60_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(parts: Parts): Express {
  const { log, health, files, signer, starts } = parts;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(parts),
    adminRoutes(parts),
    fileRoutes({
      ...{ service: 'quiz', files, signer },
      opened: (reader, at) => starts.note(openingBy(reader), at),
    }),
  ]);
}
