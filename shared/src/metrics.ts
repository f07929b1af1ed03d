import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Every metric of this process, the standard ones of Node included. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** `GET /metrics` in the Prometheus text format. */
export const metricsPage: RequestHandler = async (_req, res) => {
  res.set('Content-Type', registry.contentType).send(await registry.metrics());
};
