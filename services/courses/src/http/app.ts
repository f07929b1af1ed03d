import { createHttpApp } from '@gradeway/shared/httpApp';
import type { Express } from 'express';
import { adminCourseRoutes } from './adminCourseRoutes.ts';
import { adminStudentRoutes } from './adminStudentRoutes.ts';
import { importRoutes } from './importRoutes.ts';
import type { Parts } from './parts.ts';
import { studentRoutes } from './studentRoutes.ts';

const requestTimeoutMs = 30_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(parts: Parts): Express {
  const { log, health } = parts;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(parts),
    adminCourseRoutes(parts),
    adminStudentRoutes(parts),
    importRoutes(parts),
  ]);
}
