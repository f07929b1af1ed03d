import { readFile } from 'node:fs/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Prometheus, type Series, startPrometheus } from './deployment/prometheus.ts';
import { takesTurns } from './deployment/turns.ts';
import { secretValue, waitForCluster } from './kubernetes/kubectl.ts';
import { listPods } from './kubernetes/readApi.ts';
import { runEverydayLoad } from './load/everydayLoad.ts';

const namespace = 'gradeway';
const startedAt = new Date();
let prometheus: Prometheus;
let rounds: number;

/** The panels that an ordinary day on this cluster does not fill, with the reason. */
const emptyOnOrdinaryDays = new Map([
  ['Failing requests by route', 'no request of an ordinary day gets a 5xx response'],
  ['gRPC calls that fail', 'no RPC of an ordinary request fails; only a service that is down causes that'],
  ['Lists and the read replica', 'the cluster has no read replica'],
  ...[
    'Backups: age of the last one',
    'Backups: size',
    'Backups: age of the last successful restore check',
    'Backups: failed check, bucket errors',
  ].map((title) => [title, 'only overlays/production has backups in a bucket'] as const),
]);

takesTurns({ unchanged: ['gradeway'] });
beforeAll(async () => {
  prometheus = await startPrometheus();
  // Prometheus sees no increase for events that were counted before its first scrape.
  await targetsOfAllPods();
  const system = {
    baseUrl: inject('baseUrl'),
    adminEmail: await secretValue(namespace, 'auth', 'ADMIN_EMAIL'),
    adminPassword: await secretValue(namespace, 'auth', 'ADMIN_PASSWORD'),
  };
  rounds = await runEverydayLoad(system, 30);
});
afterAll(() => prometheus?.remove());

test('Prometheus discovers every pod of Gradeway by its annotations, as one target that is up', async () => {
  const names = await targetsOfAllPods();
  console.log(`${names.length} targets are up: ${names.join(', ')}`);
  expect(names.length).toBeGreaterThanOrEqual(5);
});

/** The pods that are scraped, once they are exactly the pods of Gradeway and all are up. */
const targetsOfAllPods = (): Promise<string[]> =>
  waitForCluster(async () => {
    const found = await prometheus.targets();
    const names = found.map(({ labels }) => labels.pod ?? '').toSorted();
    return found.every(({ health }) => health === 'up') && `${names}` === `${await scrapedPods()}` && names;
  }, 90_000);

/** The pods of the five processes. The label also selects pods of backups, which have ended or serve no metrics. */
async function scrapedPods(): Promise<string[]> {
  const labels = 'app.kubernetes.io/part-of=gradeway,app.kubernetes.io/name!=backup';
  const pods = await listPods(namespace, { labels });
  return pods
    .filter(({ status }: { status: { phase: string } }) => status.phase === 'Running')
    .map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    .toSorted();
}

test('every query of the dashboard shows data after the load, except in the panels above', async () => {
  const queries = await dashboardQueries();
  const problems: string[] = [];
  let withoutData = 0;
  for (const { title, expr, labels } of queries) {
    const series = await waitFor(() => withData(expr, labels), 20_000).catch(() => undefined);
    if (!series) withoutData++;
    if (!series && !emptyOnOrdinaryDays.has(title)) problems.push(`${title}: ${expr}`);
    if (series && emptyOnOrdinaryDays.has(title))
      console.log(`"${title}" shows data: ${JSON.stringify(series.map((each) => each.labels))}`);
  }
  console.log(
    `${queries.length - withoutData} of ${queries.length} queries show data after ${rounds} rounds of requests`,
  );
  expect(queries.length).toBeGreaterThan(60);
  expect(problems).toEqual([]);
  const titles = new Set(queries.map(({ title }) => title));
  expect([...emptyOnOrdinaryDays.keys()].filter((title) => !titles.has(title))).toEqual([]);
});

/** The series of a query that have a value and the labels of its legend; undefined if there is none. */
async function withData(expr: string, labels: string[]): Promise<Series[] | undefined> {
  const series = (await prometheus.graph(expr, startedAt)).filter(({ values }) => values.length > 0);
  const isComplete = series.every((each) => labels.every((label) => label in each.labels));
  return series.length > 0 && isComplete ? series : undefined;
}

/** The queries as Grafana sends them: with the values of the variables. */
async function dashboardQueries() {
  const file = new URL('../../k8s/platform/monitoring/dashboard.json', import.meta.url);
  const dashboard = JSON.parse(await readFile(file, 'utf8')) as {
    panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
  };
  const processes = await prometheus.labelValues('gradeway_check_ok', 'process');
  expect(processes).toEqual(['auth', 'courses', 'gateway', 'homework', 'quiz']);
  return dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      title,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$process', `(${processes.join('|')})`),
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? ''),
    })),
  );
}

test('every rule is evaluated without an error', async () => {
  const rules = await waitFor(async () => {
    const all = await prometheus.rules();
    return all.every(({ health }) => health !== 'unknown') && all;
  });
  expect(rules.filter(({ health, lastError }) => health !== 'ok' || lastError)).toEqual([]);
  const count = (type: string) => rules.filter((rule) => rule.type === type).length;
  console.log(`${count('alerting')} alerts and ${count('recording')} recorded ratios`);
  expect(count('alerting')).toBeGreaterThan(25);
});

test('no alert fires while Gradeway is healthy', async () => {
  const alerts = await prometheus.graph('ALERTS', startedAt);
  const named = (state: string) =>
    alerts.filter(({ labels }) => labels.alertstate === state).map(({ labels }) => labels);
  if (named('pending').length > 0) console.log(`pending for some time: ${JSON.stringify(named('pending'))}`);
  expect(named('firing')).toEqual([]);
});
