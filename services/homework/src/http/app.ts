import { fileRoutes } from '@gradeway/shared/files/fileRoutes';
import { createHttpApp } from '@gradeway/shared/httpApp';
import type { Express } from 'express';
import { adminRoutes } from './adminRoutes.ts';
import { downloadRoutes } from './downloadRoutes.ts';
import type { Parts } from './parts.ts';
import { studentRoutes } from './studentRoutes.ts';

// An upload may take its time; whatever asks courses or the database has its own, much shorter limits.
const requestTimeoutMs = 10 * 60_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(parts: Parts): Express {
  const { log, health, files, signer } = parts;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(parts),
    adminRoutes(parts),
    downloadRoutes(parts),
    fileRoutes({ service: 'homework', files, signer }),
  ]);
}
