import { createHttpApp } from '@gradeway/shared/httpApp';
import type { Express } from 'express';
import { deliveryRoutes } from '../webhooks/http/deliveryRoutes.ts';
import { webhookRoutes } from '../webhooks/http/webhookRoutes.ts';
import { adminCourseRoutes } from './adminCourseRoutes.ts';
import { adminExportRoutes } from './adminExportRoutes.ts';
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
    adminExportRoutes(parts),
    webhookRoutes(parts),
    deliveryRoutes(parts),
    importRoutes(parts),
  ]);
}
