import { readFile, writeFile } from 'node:fs/promises';
import { documentedFolders } from '@gradeway/local/generateSettingsDocs';
import { processNames } from '@gradeway/local/processes';
import { consumers } from '@gradeway/shared/events/catalog';
import { BackupScene, nameIn, nextSecond } from '@gradeway/test/backupScene';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { type Scrape, scrape } from '@gradeway/test/metrics';
import { MetricsCatalog } from '@gradeway/test/metricsCatalog';
import { isNodeMetric, metricsTable, readTable } from '@gradeway/test/metricsTable';
import { readQuery } from '@gradeway/test/promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routeTable } from '../../gateway/src/routing/routeTable.ts';
import { exerciseMetrics } from './exerciseMetrics.ts';

const root = new URL('../../', import.meta.url);
const text = (path: string) => readFile(new URL(path, root), 'utf8');
const rules = parse(await text('k8s/platform/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const dashboard = JSON.parse(await text('k8s/platform/monitoring/dashboard.json')) as Dashboard;
const runbook = await text('docs/runbook.md');
const table = new URL('docs/metrics.md', root);

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface Dashboard {
  panels: { type: string; title: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { type: string; definition?: string }[] };
}

const allRules = rules.groups.flatMap((group) => group.rules);
const alerts = allRules.filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
const targets = dashboard.panels.flatMap((panel) =>
  (panel.targets ?? []).map((target) => ({ title: panel.title, ...target })),
);
/** A query of the dashboard after Grafana has replaced its variables. */
const interpolated = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$process', '.*');
const namesIn = (template: string | undefined, pattern: string) =>
  [...(template ?? '').matchAll(new RegExp(pattern, 'g'))].map(([, name]) => name ?? '');

// The sign-in metric has a label for each provider; nobody signs in with this one.
const provider = {
  id: 'school',
  name: 'School',
  issuer: 'http://localhost:1',
  client_id: 'x',
  client_secret: 'x',
};
let system: LocalSystem;
let backups: BackupScene;
let scrapes: Map<string, Scrape>;
let catalog: MetricsCatalog;

beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', OIDC_PROVIDERS: JSON.stringify([provider]) });
  await exerciseMetrics(system);
  scrapes = new Map();
  for (const name of processNames) {
    const { adminPort } = await system.process(name);
    scrapes.set(name, await scrape(`http://127.0.0.1:${adminPort}`));
  }
  backups = await BackupScene.start();
  scrapes.set('backup', await scrapeBackups());
  catalog = new MetricsCatalog(scrapes, allRules);
});
afterAll(async () => {
  await system?.remove();
  await backups?.remove();
});

/** The metrics of two backups, so that the size of each has a value. */
async function scrapeBackups(): Promise<Scrape> {
  const { output } = await backups.backUp();
  await nextSecond(nameIn(output));
  await backups.backUp();
  const { when } = await backups.startMetrics();
  return when((found) => found.value('gradeway_backup_previous_size_bytes') !== undefined);
}

test('docs/metrics.md lists every metric as it is scraped, and every metric has been measured', async () => {
  const wanted = metricsTable(scrapes);
  const { present, replaced } = readTable(await readFile(table, 'utf8'), wanted);
  if (process.env.WRITE_DOCS) await writeFile(table, replaced);
  else expect(present, 'run: WRITE_DOCS=1 npm test -- test/contract/monitoring.test.ts').toBe(wanted);
  expect(catalog.unmeasured()).toEqual([]);
});

test('no label value is an id, an address or a path with parameters', () => {
  const idOrAddress = /(^|[^a-z.v])\d{2,}|@|%|[0-9a-f]{8}-|\d+\.\d+\.\d+|https?:|localhost|example/i;
  const free = new Set(['le', 'quantile', 'http_response_status_code', 'version', 'process']);
  const values = [...scrapes.values()].flatMap(({ metrics }) =>
    [...metrics].flatMap(([name, { samples }]) =>
      isNodeMetric(name)
        ? []
        : samples.flatMap(({ labels }) => Object.entries(labels).filter(([label]) => !free.has(label))),
    ),
  );
  expect(values.length).toBeGreaterThan(1000);
  expect(values.filter(([, value]) => idOrAddress.test(value))).toEqual([]);
  const routes = new Set(values.filter(([label]) => label === 'http_route').map(([, route]) => route));
  expect(routes).toContain('unmatched');
});

test('logins, one-time codes and idempotent requests are counted by outcome', () => {
  const count = (process: string, name: string, outcome: string) =>
    scrapes.get(process)?.value(`gradeway_${name}_total`, { outcome });
  const logins = ['opened', 'refused', 'limited', 'failed'].map((outcome) =>
    count('auth', 'logins', outcome),
  );
  expect(logins).toEqual([2, 1, 0, 0]);
  expect(count('auth', 'login_code_deliveries', 'delivered')).toBe(1);
  const repeated = ['done', 'repeated', 'mismatched'].map((outcome) =>
    count('quiz', 'idempotent_requests', outcome),
  );
  expect(repeated).toEqual([1, 1, 1]);
});

test('the queues of every consumer are measured', () => {
  const states = ['waiting', 'retrying', 'dead'];
  const measured = (consumer: string) => {
    const scraped = scrapes.get(consumer.replace(/-.*/, ''));
    return states.map((state) => scraped?.value('gradeway_queue_messages', { consumer, state }));
  };
  expect(consumers).toContain('courses-mail');
  for (const consumer of consumers) expect(measured(consumer), consumer).toEqual([0, 0, 0]);
});

test('the route labels of the gateway are the paths of the route table', async () => {
  const known = new Set(
    routeTable
      .map(({ path }) => path)
      .concat('unmatched', '/docs/*', '/api/v3/openapi.json', '/api/v3/asyncapi.json'),
  );
  const seen = scrapes.get('gateway')?.find('http_server_request_duration_seconds_count') ?? [];
  expect(seen.map(({ labels }) => labels.http_route).filter((route) => !known.has(route ?? ''))).toEqual([]);
});

describe('queries', () => {
  const expectKnown = (expr: string, usedLabels: string[]) => {
    const query = readQuery(expr);
    expect(catalog.problemsIn(query)).toEqual([]);
    expect([...catalog.resultLabels(query)]).toEqual(expect.arrayContaining(usedLabels));
  };

  test.each(allRules.map((rule) => [rule.alert ?? rule.record ?? '', rule] as const))(
    'the rule %s uses existing metrics, labels and values',
    (_, { expr, annotations = {} }) => {
      const usedLabels = Object.values(annotations).flatMap((each) => namesIn(each, '\\$labels\\.(\\w+)'));
      expectKnown(expr, usedLabels);
    },
  );

  test.each(targets.map((target) => [`${target.title}: ${target.legendFormat}`, target] as const))(
    'the panel %s uses existing metrics, labels and values',
    (_, { expr, legendFormat }) => {
      expectKnown(interpolated(expr), namesIn(legendFormat, '\\{\\{\\s*(\\w+)\\s*\\}\\}'));
    },
  );

  test('the rows of the dashboard follow a request from the gateway to its effects', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows.map((title) => title.replace(': $process', ''))).toEqual([
      'Now',
      'Requests at the gateway',
      'Sessions',
      'Services',
      'Postgres',
      'Files',
      'Events',
      'Webhooks',
      'Mail',
      'Backups',
      'Processes',
    ]);
  });

  test('the variables of the dashboard use an existing label', () => {
    const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    expect(definitions).toHaveLength(1);
    for (const definition of definitions) {
      const [, metric = '', label] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
      expect(catalog.labelsOf(metric)).toContain(label);
    }
  });

  test('a query that uses an unknown name is reported', () => {
    const problems = (expr: string) => catalog.problemsIn(readQuery(expr));
    expect(problems('gradeway_outbox_event > 1')).toEqual(['gradeway_outbox_event']);
    expect(problems('gradeway_outbox_events{kind="x"}')).toEqual(['gradeway_outbox_events{kind}']);
    const misspelled = 'gradeway_uploads_total{outcome="faild"}';
    expect(problems(misspelled)).toEqual([misspelled]);
    const unmatched = 'gradeway_uploads_total{outcome=~"a|b"}';
    expect(problems(unmatched)).toEqual([unmatched]);
    expect(problems('sum by (callee) (gradeway_uploads_total)')).toEqual(['by or on (callee)']);
    const histogram = 'sum by (process) (rate(gradeway_event_lag_seconds_bucket[5m]))';
    expect(problems(`histogram_quantile(0.9, ${histogram})`)).toEqual(['histogram_quantile without le']);
    expect(() => readQuery('sum(')).toThrow('not PromQL');
  });
});

describe('alerts', () => {
  test('an alert has a severity, a summary, a description and a link to the runbook', () => {
    expect(alerts.length).toBeGreaterThan(25);
    const runbooks = new Set<string>();
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning'], alert).toContain(labels?.severity);
      expect(annotations?.summary, alert).toBeTruthy();
      expect(annotations?.description, alert).toBeTruthy();
      const [base = '', section] = annotations?.runbook_url?.split('#') ?? [];
      expect(base, alert).toMatch(/^https:\/\/\S+\/docs\/runbook\.md$/);
      expect(section).toBe(alert.toLowerCase());
      runbooks.add(base);
    }
    expect([...runbooks]).toHaveLength(1);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  test('the runbook covers exactly the alerts in the rules', () => {
    const sections = [...runbook.matchAll(/^### (Gradeway\w+)$/gm)].map(([, name]) => name).sort();
    expect(sections).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  test('the latency alert excludes exactly the uploads and downloads of the route table', async () => {
    const rule = alerts.find(({ alert }) => alert === 'GradewayLatencyHigh');
    const [reading, writing] = readQuery(rule?.expr ?? '').selectors.map(({ matchers }) => {
      const excluded = matchers.find(({ label, operator }) => label === 'http_route' && operator === '!~');
      return excluded?.value.split('|').sort();
    });
    const transfers = (isReading: boolean) => {
      const routes = routeTable.filter(
        ({ method, transfer }) => transfer && (method === 'GET') === isReading,
      );
      return [...new Set(routes.map(({ path }) => path))].sort();
    };
    expect([reading, writing]).toEqual([transfers(true), transfers(false)]);
  });
});

test('the runbook names only existing commands and settings', async () => {
  const scripts = Object.keys(JSON.parse(await text('package.json')).scripts);
  const run = namesIn(runbook, 'npm run ([\\w:]+)');
  expect(run.length).toBeGreaterThan(0);
  expect(run.filter((name) => !scripts.includes(name))).toEqual([]);
  const services = ['quiz', 'homework', 'courses', 'auth'];
  const sources = await Promise.all(services.map((service) => text(`services/${service}/src/command.ts`)));
  const commands = namesIn(runbook, 'node dist/command\\.js (\\w+)');
  expect(commands.length).toBeGreaterThan(0);
  const exists = (command: string) => new RegExp(`^  ${command}[:,]`, 'm').test(sources.join('\n'));
  expect(commands.filter((command) => !exists(command))).toEqual([]);
  expect(new Set(namesIn(runbook, 'node (dist/\\w+\\.js)'))).toEqual(new Set(['dist/command.js']));
  const documented = await Promise.all(documentedFolders.map((folder) => text(`${folder}/README.md`)));
  const grpcCodes = ['DEADLINE_EXCEEDED', 'PERMISSION_DENIED'];
  const settings = namesIn(runbook, '`([A-Z]+_[A-Z_]+)`').filter((name) => !grpcCodes.includes(name));
  expect(settings.filter((name) => !documented.join('\n').includes(`\`${name}\``))).toEqual([]);
});
