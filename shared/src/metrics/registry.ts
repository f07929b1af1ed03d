import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { runScrapeCollectors } from './scrapeCollectors.ts';

/*
 * Names are those of OpenTelemetry's semantic conventions where they have one, dots as underscores; else they
 * begin with `gradeway_` (docs/decisions/0013). The value of a label comes from a short list that the code knows:
 * never an id, an address or a path as it was sent.
 */

/** Every metric of this process, the standard ones of Node included. */
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const registers = [registry];

/** Puts the label `process` on every metric, so that queries need not know how Prometheus finds the processes. */
export function labelMetrics(process: string): void {
  registry.setDefaultLabels({ process });
}

/** Something that only grows. */
export const counter = <Label extends string = never>(
  name: `${string}_total`,
  help: string,
  labelNames: Label[] = [],
) => new Counter({ name, help, labelNames, registers });

/** Something that goes up and down. */
export const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name, help, labelNames, registers });

/** How long something took. `buckets` are seconds, like what is observed. */
export const histogram = <Label extends string = never>(
  name: `${string}_seconds`,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) => new Histogram({ name, help, buckets, labelNames, registers });

/** `GET /metrics` in the Prometheus text format. */
export const metricsPage: RequestHandler = async (_req, res) => {
  await runScrapeCollectors();
  res.set('Content-Type', registry.contentType).send(await registry.metrics());
};
