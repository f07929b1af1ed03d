import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import { adminExportRoutes } from '../export/http/exportRoutes.ts';
import { importRoutes } from '../import/http/importRoutes.ts';
import { deliveryRoutes } from '../webhooks/http/deliveryRoutes.ts';
import { webhookRoutes } from '../webhooks/http/webhookRoutes.ts';
import { adminCourseRoutes } from './adminCourseRoutes.ts';
import { adminStudentRoutes } from './adminStudentRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { studentRoutes } from './studentRoutes.ts';

const requestTimeoutMs = 30_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(dependencies: Dependencies): Express {
  const { log, health } = dependencies;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(dependencies),
    adminCourseRoutes(dependencies),
    adminStudentRoutes(dependencies),
    adminExportRoutes(dependencies),
    webhookRoutes(dependencies),
    deliveryRoutes(dependencies),
    importRoutes(dependencies),
  ]);
}
