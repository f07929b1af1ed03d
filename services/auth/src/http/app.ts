import { createHttpApp } from '@gradeway/shared/http/app';
import type { Express } from 'express';
import { ownTokenRoutes } from '../apiTokens/http/ownTokenRoutes.ts';
import { serviceAccountRoutes } from '../apiTokens/http/serviceAccountRoutes.ts';
import type { PersonalDataDependencies } from '../personalData/dependencies.ts';
import { personalDataRoutes } from '../personalData/http/personalDataRoutes.ts';
import { singleSignOnRoutes } from '../singleSignOn/http/singleSignOnRoutes.ts';
import { accountRoutes } from './accountRoutes.ts';
import { adminRoutes } from './adminRoutes.ts';
import { auditRoutes } from './auditRoutes.ts';
import type { Dependencies } from './dependencies.ts';
import { jwksRoutes } from './jwksRoutes.ts';
import { loginRoutes } from './loginRoutes.ts';
import { receiptRoutes } from './receiptRoutes.ts';
import { secondFactorRoutes } from './secondFactorRoutes.ts';
import { teacherRoutes } from './teacherRoutes.ts';

const requestTimeoutMs = 30_000;

/** Creates the service's HTTP application. It does not listen. */
export function createApp(dependencies: Dependencies, personalData: PersonalDataDependencies): Express {
  const { log, health } = dependencies;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    loginRoutes(dependencies),
    singleSignOnRoutes(dependencies),
    accountRoutes(dependencies),
    secondFactorRoutes(dependencies),
    ownTokenRoutes(dependencies),
    adminRoutes(dependencies),
    serviceAccountRoutes(dependencies),
    teacherRoutes(dependencies),
    auditRoutes(dependencies),
    personalDataRoutes(dependencies, personalData),
    receiptRoutes(dependencies),
    jwksRoutes(dependencies),
  ]);
}
