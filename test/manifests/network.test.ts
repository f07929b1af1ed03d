import { describe, expect, test } from 'vitest';
import { drawnArrows } from './architecture.ts';
import { processes, workloadsOf } from './manifests.ts';
import { type End, Policies } from './policies.ts';

const testCluster = new Policies('overlays/all');
const production = new Policies('overlays/production');
const everyPort = [53, 80, 443, 5432, 5671, 5672, 6379, 4318, 8080, 9090, 9464, 16686];

// Every process exports traces, which the diagram leaves out.
const tracing = processes.map((name) => `${name} → jaeger 4318`);

function arrowsOf(policies: Policies, allowed: (from: End, to: End, port: number) => boolean): Set<string> {
  const pods = policies.pods();
  const arrows = pods.flatMap((from) =>
    pods
      .filter((to) => to !== from)
      .flatMap((to) =>
        everyPort
          .filter((port) => allowed(from, to, port))
          .map((port) => `${from.name} → ${to.name} ${port}`),
      ),
  );
  return new Set(arrows);
}

const leaving = (policies: Policies) => arrowsOf(policies, (...each) => policies.mayLeave(...each));
const entering = (policies: Policies) => arrowsOf(policies, (...each) => policies.mayEnter(...each));

const outside = (address: string): End => ({ name: address, address });
const podElsewhere = (namespace: string, name: string): End => ({
  name,
  namespace,
  labels: { 'app.kubernetes.io/name': name, 'k8s-app': name },
});

describe('network policies of a test cluster', () => {
  test('the allowed connections match ARCHITECTURE.md, plus those for traces', () => {
    const drawn = drawnArrows();
    expect(drawn.size).toBeGreaterThan(20);
    // The backup is not a process of the diagram.
    const wanted = new Set([...drawn, ...tracing, 'backup → postgres 5432']);
    expect([...leaving(testCluster)].toSorted()).toEqual([...wanted].toSorted());
  });

  test('the policies at both ends of a connection agree', () => {
    // The gateway admits connections from anywhere, even from pods that are not allowed to open them.
    const fromAnywhere = [...entering(testCluster)].filter((arrow) => !arrow.endsWith('→ gateway 8080'));
    expect(new Set(fromAnywhere)).toEqual(leaving(testCluster));
  });
});

describe('network policies in production', () => {
  test('the allowed connections between processes match ARCHITECTURE.md', () => {
    const isInternal = (arrow: string) => !/(postgres|rabbitmq|valkey) \d+$/.test(arrow);
    const wanted = [...drawnArrows()].filter(isInternal).toSorted();
    expect([...leaving(production)].toSorted()).toEqual(wanted);
    expect([...entering(production)].toSorted()).toEqual(wanted);
  });

  test('only Traefik, whose forwarding headers are trusted, reaches the gateway', () => {
    const gateway = production.pod('gateway');
    const { labels } = workloadsOf('platform/traefik')[0]?.template.metadata ?? {};
    const traefik: End = { name: 'traefik', namespace: 'traefik', labels: labels ?? {} };
    expect(production.mayEnter(traefik, gateway, 8080)).toBe(true);
    expect(production.mayEnter(traefik, gateway, 9464)).toBe(false);
    expect(production.mayEnter({ ...traefik, namespace: 'elsewhere' }, gateway, 8080)).toBe(false);
    expect(production.mayEnter(outside('203.0.113.9'), gateway, 8080)).toBe(false);
  });

  test.each([
    ['PostgreSQL', '192.0.2.10', 5432, ['auth', 'courses', 'homework', 'quiz']],
    ['RabbitMQ', '192.0.2.20', 5671, ['gateway', 'auth', 'courses', 'homework', 'quiz']],
    ['Valkey', '192.0.2.50', 6379, ['gateway']],
    ['the bucket', '198.51.100.7', 443, ['courses', 'homework', 'quiz']],
    ['the mail server', '192.0.2.30', 587, ['auth', 'courses']],
    // A webhook may have any public address.
    ['an OpenID provider', '192.0.2.40', 443, ['auth', 'courses']],
    ['an OpenID provider without TLS', '192.0.2.40', 80, []],
    ['the internet by HTTPS, for webhooks', '203.0.113.9', 443, ['courses']],
    ['the internet by IPv6, for webhooks', '2001:db8::9', 443, ['courses']],
    ['the internet without TLS', '203.0.113.9', 80, []],
  ])('%s is reachable only from the processes that need it', (_, address, port, wanted) => {
    const may = processes.filter((name) => production.mayLeave(production.pod(name), outside(address), port));
    expect(may).toEqual(wanted);
  });

  test.each([
    ['PostgreSQL', '192.0.2.10', 5432, true],
    ['the bucket of the files', '198.51.100.7', 443, true],
    ['the bucket of the backups', '203.0.113.70', 443, true],
    ['the internet', '203.0.113.9', 443, false],
    ['RabbitMQ', '192.0.2.20', 5671, false],
  ])('the backup reaches only the database and the buckets: %s', (_, address, port, wanted) => {
    expect(production.mayLeave(production.pod('backup'), outside(address), port)).toBe(wanted);
  });

  test.each([
    ['PostgreSQL', '192.0.2.10', 5432, false],
    ['the bucket of the files', '198.51.100.7', 443, false],
    ['the bucket of the backups', '203.0.113.70', 443, true],
    ['the internet', '203.0.113.9', 443, false],
  ])('the metrics of the backup reach only its bucket: %s', (_, address, port, wanted) => {
    expect(production.mayLeave(production.pod('backup-metrics'), outside(address), port)).toBe(wanted);
  });

  test.each([
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.20.0.1',
    '192.168.1.1',
    'fd00::1',
    'fe80::1',
  ])('courses cannot connect to %s for a webhook', (address) => {
    expect(production.mayLeave(production.pod('courses'), outside(address), 443)).toBe(false);
  });

  test('every process reaches the trace collector', () => {
    const collector = podElsewhere('observability', 'opentelemetry-collector');
    for (const name of processes)
      expect(production.mayLeave(production.pod(name), collector, 4318), name).toBe(true);
  });
});

describe.each([testCluster, production])('network policies in $folder', (policies) => {
  test('every pod reaches the DNS of the cluster, and no other DNS server', () => {
    for (const pod of policies.pods()) {
      expect(policies.mayLeave(pod, podElsewhere('kube-system', 'kube-dns'), 53, 'UDP')).toBe(true);
      expect(policies.mayLeave(pod, podElsewhere('elsewhere', 'kube-dns'), 53, 'UDP')).toBe(false);
      expect(policies.mayLeave(pod, outside('203.0.113.53'), 53, 'UDP')).toBe(false);
    }
  });

  test('only Prometheus reaches the admin ports', () => {
    const measured = policies === production ? [...processes, 'backup-metrics'] : processes;
    for (const name of measured) {
      const pod = policies.pod(name);
      expect(policies.mayEnter(podElsewhere('monitoring', 'prometheus'), pod, 9464), name).toBe(true);
      expect(policies.mayEnter(podElsewhere('monitoring', 'grafana'), pod, 9464), name).toBe(false);
      expect(policies.mayEnter(podElsewhere('monitoring', 'prometheus'), pod, 9090), name).toBe(false);
    }
  });

  test('a pod without its own policy can neither connect nor be connected to', () => {
    const unselected: End = { name: 'unselected', namespace: 'gradeway', labels: { app: 'unselected' } };
    for (const pod of policies.pods())
      for (const port of everyPort) {
        expect(policies.mayLeave(unselected, pod, port)).toBe(false);
        expect(policies.mayLeave(unselected, outside('203.0.113.9'), port)).toBe(false);
        expect(policies.mayEnter(pod, unselected, port)).toBe(false);
      }
  });
});

describe('network policies of the restore check, whose pod holds the identity of the backups', () => {
  const namespace = 'gradeway-restore-check';
  const check = new Policies('platform/restore-check', namespace);
  const pod = () => check.pod('restore-check');

  test.each([
    ['the bucket of the backups', '203.0.113.70', 443, true],
    ['the internet', '203.0.113.9', 443, false],
    ['PostgreSQL', '192.0.2.10', 5432, false],
  ])('it reaches only the bucket: %s', (_, address, port, wanted) => {
    expect(check.mayLeave(pod(), outside(address), port)).toBe(wanted);
  });

  test('it reaches the DNS of the cluster, but no pod of Gradeway, and nothing reaches it', () => {
    expect(check.mayLeave(pod(), podElsewhere('kube-system', 'kube-dns'), 53, 'UDP')).toBe(true);
    for (const port of everyPort) {
      expect(check.mayLeave(pod(), podElsewhere('gradeway', 'postgres'), port)).toBe(false);
      expect(check.mayEnter(podElsewhere('gradeway', 'backup'), pod(), port)).toBe(false);
      expect(check.mayEnter(podElsewhere(namespace, 'restore-check'), pod(), port)).toBe(false);
    }
  });
});
