import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import { deliveryRoutes } from '../webhooks/http/deliveryRoutes.ts';
import { webhookRoutes } from '../webhooks/http/webhookRoutes.ts';
import { adminCourseRoutes } from './adminCourseRoutes.ts';
import { adminExportRoutes } from './adminExportRoutes.ts';
import { adminStudentRoutes } from './adminStudentRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { importRoutes } from './importRoutes.ts';
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
