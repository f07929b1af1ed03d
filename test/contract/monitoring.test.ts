import { readFile, writeFile } from 'node:fs/promises';
import { documentedFolders } from '@gradeway/local/generateSettingsDocs';
import { processNames } from '@gradeway/local/processes';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { type Scrape, scrape } from '@gradeway/test/metrics';
import { metricsTable, ofNode, readTable } from '@gradeway/test/metricsTable';
import { Monitoring } from '@gradeway/test/monitoring';
import { Query } from '@gradeway/test/promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routeTable } from '../../gateway/src/routeTable.ts';
import { useEverything } from './traffic.ts';

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
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { type: string; definition?: string }[] };
}

const allRules = rules.groups.flatMap((group) => group.rules);
const alerts = allRules.filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
const targets = dashboard.panels.flatMap((panel) =>
  (panel.targets ?? []).map((target) => ({ title: panel.title, ...target })),
);
// What Grafana puts in before it asks.
const asked = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$process', '.*');
const names = (of: string, template = '') =>
  [...template.matchAll(new RegExp(of, 'g'))].map(([, name]) => name ?? '');

let system: LocalSystem;
let scrapes: Map<string, Scrape>;
let monitoring: Monitoring;

beforeAll(async () => {
  system = await startLocalSystem({ DEMO_DATA: '0', RATE_LIMIT_PER_MINUTE: '0' });
  await useEverything(system);
  scrapes = new Map();
  for (const name of processNames) {
    const { adminPort } = await system.process(name);
    scrapes.set(name, await scrape(`http://127.0.0.1:${adminPort}`));
  }
  monitoring = new Monitoring(scrapes, allRules);
}, 120_000);
afterAll(() => system.remove());

test('docs/metrics.md lists every metric as the processes tell it, and each was measured', async () => {
  const wanted = metricsTable(scrapes);
  const { present, replaced } = readTable(await readFile(table, 'utf8'), wanted);
  if (process.env.WRITE_DOCS) await writeFile(table, replaced);
  else expect(present, 'run: WRITE_DOCS=1 npm test -- test/contract/monitoring.test.ts').toBe(wanted);
  expect(monitoring.unmeasured()).toEqual([]);
});

test('no label has the value of an id, an address or a path as it was sent', () => {
  const idOrAddress = /(^|[^a-z.v])\d{2,}|@|%|[0-9a-f]{8}-|\d+\.\d+\.\d+|https?:|localhost|example/i;
  const free = new Set(['le', 'quantile', 'http_response_status_code', 'version', 'process']);
  const values = [...scrapes.values()].flatMap(({ metrics }) =>
    [...metrics].flatMap(([name, { samples }]) =>
      ofNode.test(name)
        ? []
        : samples.flatMap(({ labels }) => Object.entries(labels).filter(([label]) => !free.has(label))),
    ),
  );
  expect(values.length).toBeGreaterThan(1000);
  expect(values.filter(([, value]) => idOrAddress.test(value))).toEqual([]);
  const routes = new Set(values.filter(([label]) => label === 'http_route').map(([, route]) => route));
  expect(routes).toContain('unmatched');
});

test('logins, one-time codes and repeated requests are counted by what came of them', () => {
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

test('the gateway’s routes are those of the route table', async () => {
  const known = new Set(
    routeTable.map(({ path }) => path).concat('unmatched', '/docs/*', '/api/v3/openapi.json'),
  );
  const seen = scrapes.get('gateway')?.find('http_server_request_duration_seconds_count') ?? [];
  expect(seen.map(({ labels }) => labels.http_route).filter((route) => !known.has(route ?? ''))).toEqual([]);
});

describe('every query names metrics, labels and values that there are', () => {
  test.each(allRules.map((rule) => [rule.alert ?? rule.record ?? '', rule] as const))(
    'rule %s',
    (_, rule) => {
      const query = new Query(rule.expr);
      expect(monitoring.strangersIn(query)).toEqual([]);
      const labels = query.labels(monitoring.labelsOf);
      const used = Object.values(rule.annotations ?? {}).flatMap((each) => names('\\$labels\\.(\\w+)', each));
      expect(used.filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  test.each(targets.map((target) => [`${target.title}: ${target.legendFormat}`, target] as const))(
    'panel %s',
    (_, { expr, legendFormat }) => {
      const query = new Query(asked(expr));
      expect(monitoring.strangersIn(query)).toEqual([]);
      const labels = query.labels(monitoring.labelsOf);
      const used = names('\\{\\{\\s*(\\w+)\\s*\\}\\}', legendFormat);
      expect(used.filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  test('the variables of the dashboard too', () => {
    const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    expect(definitions).toHaveLength(1);
    for (const definition of definitions) {
      const [, metric = '', label] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
      expect(monitoring.labelsOf(metric)).toContain(label);
    }
  });

  test('a query that names nothing that there is would be found', () => {
    const strangers = (expr: string) => monitoring.strangersIn(new Query(expr));
    expect(strangers('gradeway_outbox_event > 1')).toEqual(['gradeway_outbox_event']);
    expect(strangers('gradeway_outbox_events{kind="x"}')).toEqual(['gradeway_outbox_events{kind}']);
    expect(strangers('gradeway_uploads_total{outcome="faild"}')).toEqual([
      'gradeway_uploads_total{outcome="faild"}',
    ]);
    expect(strangers('gradeway_uploads_total{outcome=~"a|b"}')).toEqual([
      'gradeway_uploads_total{outcome=~"a|b"}',
    ]);
    expect(() => new Query('sum by (callee) (gradeway_uploads_total)').labels(monitoring.labelsOf)).toThrow(
      'callee',
    );
    expect(() => new Query('sum(')).toThrow('not PromQL');
  });
});

describe('alerts', () => {
  test('have a severity, say what is wrong, and where to read on', () => {
    expect(alerts.length).toBeGreaterThan(25);
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning'], alert).toContain(labels?.severity);
      expect(annotations?.summary, alert).toBeTruthy();
      expect(annotations?.description, alert).toBeTruthy();
      expect(annotations?.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  test('each have a section in the runbook, and no other has one', () => {
    const sections = [...runbook.matchAll(/^### (Gradeway\w+)$/gm)].map(([, name]) => name).sort();
    expect(sections).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  test('on latency leave out exactly the uploads and downloads of the route table', async () => {
    const rule = alerts.find(({ alert }) => alert === 'GradewayLatencyHigh');
    const [reading, writing] = new Query(rule?.expr ?? '').selectors().map(({ matchers }) => {
      const left = matchers.find(({ label, operator }) => label === 'http_route' && operator === '!~');
      return left?.value.split('|').sort();
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

test('the runbook names only commands and settings that there are', async () => {
  const scripts = Object.keys(JSON.parse(await text('package.json')).scripts);
  const run = names('npm run ([\\w:]+)', runbook);
  expect(run.length).toBeGreaterThan(0);
  expect(run.filter((name) => !scripts.includes(name))).toEqual([]);
  for (const command of names('node (dist/\\w+\\.js)', runbook)) {
    const source = command.replace('dist/', 'src/').replace('.js', '.ts');
    const found = await Promise.any(
      ['quiz', 'homework', 'courses', 'auth'].map((service) => text(`services/${service}/${source}`)),
    );
    expect(found).toContain('settings');
  }
  const documented = await Promise.all(documentedFolders.map((folder) => text(`${folder}/README.md`)));
  const codesOfGrpc = ['DEADLINE_EXCEEDED'];
  const settings = names('`([A-Z]+_[A-Z_]+)`', runbook).filter((name) => !codesOfGrpc.includes(name));
  expect(settings.filter((name) => !documented.join('\n').includes(`\`${name}\``))).toEqual([]);
});
