import { describe, expect, test } from 'vitest';
import { drawnArrows } from './architecture.ts';
import { find, processes } from './manifests.ts';
import { type End, Policies } from './policies.ts';

const testCluster = new Policies('overlays/all');
const production = new Policies('overlays/production');
const everyPort = [53, 80, 443, 5432, 5671, 5672, 4318, 8080, 9090, 9464, 16686];

// Every process sends its traces; the picture leaves that out.
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
const stranger = (namespace: string, name: string): End => ({
  ...{ name, namespace },
  labels: { 'app.kubernetes.io/name': name, 'k8s-app': name },
});

describe('on a test cluster', () => {
  test('who may connect to whom is what ARCHITECTURE.md draws, and traces', () => {
    const drawn = drawnArrows();
    expect(drawn.size).toBeGreaterThan(20);
    expect([...leaving(testCluster)].toSorted()).toEqual([...new Set([...drawn, ...tracing])].toSorted());
  });

  test('both ends of every arrow agree', () => {
    // Clients come in from anywhere, and so could our own processes, if they were let out.
    const fromAnywhere = [...entering(testCluster)].filter((arrow) => !arrow.endsWith('→ gateway 8080'));
    expect(new Set(fromAnywhere)).toEqual(leaving(testCluster));
  });
});

describe('in production', () => {
  test('who of us may connect to whom is what ARCHITECTURE.md draws', () => {
    const ours = (arrow: string) => !/(postgres|rabbitmq) \d+$/.test(arrow);
    const wanted = [...drawnArrows()].filter(ours).toSorted();
    expect([...leaving(production)].toSorted()).toEqual(wanted);
    expect([...entering(production)].toSorted()).toEqual(wanted);
  });

  test('only the ingress controller reaches the gateway: what it says of clients is believed', () => {
    const gateway = production.pod('gateway');
    expect(production.mayEnter(stranger('ingress-nginx', 'ingress-nginx'), gateway, 8080)).toBe(true);
    expect(production.mayEnter(stranger('ingress-nginx', 'ingress-nginx'), gateway, 9464)).toBe(false);
    expect(production.mayEnter(stranger('elsewhere', 'ingress-nginx'), gateway, 8080)).toBe(false);
    expect(production.mayEnter(outside('203.0.113.9'), gateway, 8080)).toBe(false);
    const backend = find('overlays/production', 'Ingress', 'gateway').spec.rules[0].http.paths[0].backend
      .service;
    expect(find('overlays/production', 'Service', backend.name).spec.ports[0].name).toBe(backend.port.name);
  });

  test.each([
    ['PostgreSQL', '192.0.2.10', 5432, ['auth', 'courses', 'homework', 'quiz']],
    ['RabbitMQ', '192.0.2.20', 5671, ['gateway', 'auth', 'courses', 'homework', 'quiz']],
    ['the bucket', '198.51.100.7', 443, ['courses', 'homework', 'quiz']],
    ['the mail server', '192.0.2.30', 587, ['auth']],
    ['the internet by HTTPS, for webhooks', '203.0.113.9', 443, ['courses']],
    ['the internet by IPv6, for webhooks', '2001:db8::9', 443, ['courses']],
    ['the internet by anything else', '203.0.113.9', 80, []],
  ])('%s is reached by those who need it', (_, address, port, wanted) => {
    const may = processes.filter((name) => production.mayLeave(production.pod(name), outside(address), port));
    expect(may).toEqual(wanted);
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
  ])('a webhook cannot go to %s', (address) => {
    expect(production.mayLeave(production.pod('courses'), outside(address), 443)).toBe(false);
  });

  test('every process reaches the collector of traces', () => {
    const collector = stranger('observability', 'opentelemetry-collector');
    for (const name of processes)
      expect(production.mayLeave(production.pod(name), collector, 4318), name).toBe(true);
  });
});

describe.each([testCluster, production])('in $folder', (policies) => {
  test('every pod finds names, and asks nobody else for them', () => {
    for (const pod of policies.pods()) {
      expect(policies.mayLeave(pod, stranger('kube-system', 'kube-dns'), 53, 'UDP')).toBe(true);
      expect(policies.mayLeave(pod, stranger('elsewhere', 'kube-dns'), 53, 'UDP')).toBe(false);
      expect(policies.mayLeave(pod, outside('203.0.113.53'), 53, 'UDP')).toBe(false);
    }
  });

  test('Prometheus reaches every process on its port for operators, and nobody else does', () => {
    for (const name of processes) {
      const pod = policies.pod(name);
      expect(policies.mayEnter(stranger('monitoring', 'prometheus'), pod, 9464), name).toBe(true);
      expect(policies.mayEnter(stranger('monitoring', 'grafana'), pod, 9464), name).toBe(false);
      expect(policies.mayEnter(stranger('monitoring', 'prometheus'), pod, 9090), name).toBe(false);
    }
  });

  test('a pod that nobody has thought of reaches nobody and is reached by nobody', () => {
    const forgotten: End = { name: 'forgotten', namespace: 'gradeway', labels: { app: 'forgotten' } };
    for (const pod of policies.pods())
      for (const port of everyPort) {
        expect(policies.mayLeave(forgotten, pod, port)).toBe(false);
        expect(policies.mayLeave(forgotten, outside('203.0.113.9'), port)).toBe(false);
        expect(policies.mayEnter(pod, forgotten, port)).toBe(false);
      }
  });
});
