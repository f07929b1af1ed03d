import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import type { CalendarDependencies } from '../calendar/dependencies.ts';
import { calendarRoutes } from '../calendar/http/calendarRoutes.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { ExportDependencies } from '../export/dependencies.ts';
import { exportRoutes } from '../export/http/exportRoutes.ts';
import type { ImportDependencies } from '../import/dependencies.ts';
import { importRoutes } from '../import/http/importRoutes.ts';
import { rosterRoutes } from '../import/http/rosterRoutes.ts';
import type { NotificationDependencies } from '../notifications/dependencies.ts';
import { notificationRoutes } from '../notifications/http/notificationRoutes.ts';
import { unsubscribeRoutes } from '../notifications/http/unsubscribeRoutes.ts';
import type { TeachingDependencies } from '../teaching/dependencies.ts';
import { adminInstructorRoutes } from '../teaching/http/adminInstructorRoutes.ts';
import { commentRoutes } from '../teaching/http/commentRoutes.ts';
import { gradingCourseRoutes } from '../teaching/http/gradingCourseRoutes.ts';
import { teacherRoutes } from '../teaching/http/teacherRoutes.ts';
import type { WebhookDependencies } from '../webhooks/dependencies.ts';
import { deliveryRoutes } from '../webhooks/http/deliveryRoutes.ts';
import { webhookRoutes } from '../webhooks/http/webhookRoutes.ts';
import { adminCourseRoutes } from './adminCourseRoutes.ts';
import { adminStudentRoutes } from './adminStudentRoutes.ts';
import { studentRoutes } from './studentRoutes.ts';

interface Features {
  calendar: CalendarDependencies;
  imports: ImportDependencies;
  exports: ExportDependencies;
  teaching: TeachingDependencies;
  webhooks: WebhookDependencies;
  notifications: NotificationDependencies;
}

const requestTimeoutMs = 30_000;

/** Builds the HTTP API of the service, which does not listen on a port. */
export function createApp(dependencies: ServiceDependencies, features: Features): Express {
  const { calendar, imports, exports, teaching, webhooks, notifications } = features;
  const { log, health } = dependencies;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    studentRoutes(dependencies),
    calendarRoutes(dependencies, calendar),
    adminCourseRoutes(dependencies),
    adminStudentRoutes(dependencies),
    adminInstructorRoutes(dependencies, teaching),
    gradingCourseRoutes(dependencies, teaching),
    teacherRoutes(dependencies, teaching),
    commentRoutes(dependencies, teaching),
    exportRoutes(dependencies, exports),
    webhookRoutes(dependencies, webhooks),
    deliveryRoutes(dependencies, webhooks),
    importRoutes(dependencies, imports),
    rosterRoutes(dependencies, teaching, imports),
    notificationRoutes(dependencies, notifications),
    unsubscribeRoutes(notifications),
  ]);
}
