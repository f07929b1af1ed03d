import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { runScrapeCollectors } from './scrapeCollectors.ts';
import { SeriesHistogram } from './seriesHistogram.ts';

/*
 * Names follow OpenTelemetry's semantic conventions, with underscores instead of dots. Names without a convention begin
 * with `gradeway_` (docs/decisions/0013-metric-names-and-labels.md). Label values come from a small, fixed set: never
 * ids, addresses or raw paths.
 */

/** All metrics of this process, including the default metrics of Node.js. */
const registry = new Registry();
// The default samples the event loop every 10 ms, which takes half a percent of a core in an idle process. The
// threshold of the alert GradewayEventLoopBlocked accounts for this interval.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 200 });
const registers = [registry];

/** Adds the label `process` to every metric, so that queries do not depend on Prometheus' service discovery. */
export function labelMetrics(process: string): void {
  registry.setDefaultLabels({ process });
}

/** A value that only increases. */
export const counter = <Label extends string = never>(
  name: `${string}_total`,
  help: string,
  labelNames: Label[] = [],
) => new Counter({ name, help, labelNames, registers });

/** A value that increases and decreases. */
export const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name, help, labelNames, registers });

/** A distribution of durations. Buckets and observed values are in seconds. */
export const histogram = <Label extends string = never>(
  name: `${string}_seconds`,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) => new Histogram({ name, help, buckets, labelNames, registers });

/** A {@link histogram} for values observed on every request. */
export function requestHistogram(
  name: `${string}_seconds`,
  help: string,
  buckets: number[],
  labelNames: string[],
): SeriesHistogram {
  const metric = new SeriesHistogram(name, help, buckets, labelNames);
  // The registry uses only the name and the samples of a metric.
  registry.registerMetric(metric as unknown as Metric);
  return metric;
}

/** `GET /metrics` in the Prometheus text format. */
export const metricsPage: RequestHandler = async (_req, res) => {
  await runScrapeCollectors();
  res.set('Content-Type', registry.contentType).send(await registry.metrics());
};
