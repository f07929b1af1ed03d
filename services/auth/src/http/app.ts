import { createHttpApp } from '@gradeway/shared/httpApp';
import type { Express } from 'express';
import { accountRoutes } from './accountRoutes.ts';
import { adminRoutes } from './adminRoutes.ts';
import { keyRoutes } from './keyRoutes.ts';
import { loginRoutes } from './loginRoutes.ts';
import type { Parts } from './parts.ts';
import { receiptRoutes } from './receiptRoutes.ts';

const requestTimeoutMs = 30_000;

/** The service's HTTP interface. It does not listen. */
export function createApp(parts: Parts): Express {
  const { log, health } = parts;
  return createHttpApp({ log, health, requestTimeoutMs }, [
    loginRoutes(parts),
    accountRoutes(parts),
    adminRoutes(parts),
    receiptRoutes(parts),
    keyRoutes(parts),
  ]);
}
