import express from 'express';
import { metricsPage } from '../metrics/registry.ts';
import type { Health } from '../process/health.ts';
import { type HttpServer, listen } from './server.ts';

/** Serves `/livez`, `/readyz`, `/readyz/self` and `/metrics` on a separate port that the gateway does not expose. */
export function startAdminServer(health: Health, host: string, port: number): Promise<HttpServer> {
  const app = express();
  app.disable('x-powered-by');
  app.get('/livez', health.livez);
  app.get('/readyz', health.readyz);
  app.get('/readyz/self', health.readyzSelf);
  app.get('/metrics', metricsPage);
  return listen(app, { host, port });
}
