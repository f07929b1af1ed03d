import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnArrows } from '../manifests/architecture.ts';
import { processes } from '../manifests/processes.ts';
import { takesTurns } from './deployment/turns.ts';
import { kubectl, kubectlInput, removeNamespaces } from './kubernetes/kubectl.ts';
import { printConnections } from './network/connectionTable.ts';
import { tcp } from './network/gradewayPlaces.ts';
import { openOutside } from './network/outside.ts';
import { closePlaces, type End, openPlaces, type Place, tryEveryPair } from './network/places.ts';

// The network policies of the production overlay, in a separate namespace without Gradeway: pods with the labels of
// the processes connect to each other and to the addresses outside the cluster.
const namespace = 'gradeway-production-policies';
const [observability, outside] = ['observability', 'gradeway-production-outside'];
const overlay = fileURLToPath(new URL('../../k8s/overlays/production', import.meta.url));

// In the overlay the external systems have addresses that the operator replaces, as this test does: the first network
// is that of this test's node.
const replaced = (manifests: string) =>
  manifests.replaceAll('192.0.2.', '203.0.113.').replaceAll('198.51.100.0/24', '203.0.113.128/25');
const external = {
  postgres: '203.0.113.10',
  rabbitmq: '203.0.113.20',
  mail: '203.0.113.30',
  provider: '203.0.113.40',
  valkey: '203.0.113.50',
  bucket: '203.0.113.200',
  internet: '203.0.113.9',
  'private network': '192.168.255.254',
};
const world: End[] = [
  tcp('postgres', external.postgres, 5432),
  ...[5671, 5672, 15672].map((port) => tcp('rabbitmq', external.rabbitmq, port)),
  ...[25, 465, 587].map((port) => tcp('mail', external.mail, port)),
  ...[6379, 6380].map((port) => tcp('valkey', external.valkey, port)),
  ...[80, 443].map((port) => tcp('provider', external.provider, port)),
  ...[80, 443].map((port) => tcp('bucket', external.bucket, port)),
  ...[25, 80, 443, 587, 5432].map((port) => tcp('internet', external.internet, port)),
  tcp('private network', external['private network'], 443),
];

const appLabel = 'app.kubernetes.io/name';
const own: Place[] = processes.map((name) => ({
  name,
  namespace,
  labels: { [appLabel]: name, 'app.kubernetes.io/part-of': 'gradeway' },
  ports: [8080, 9090, 9464],
}));
const collector: Place = {
  name: 'collector',
  namespace: observability,
  labels: { [appLabel]: 'opentelemetry-collector' },
  ports: [4317, 4318],
};
const foreigners: Place[] = [
  collector,
  { name: 'elsewhere', namespace: observability, labels: {} },
  // The labels of Traefik in another namespace.
  { name: 'impostor', namespace: observability, labels: { [appLabel]: 'traefik' } },
  { name: 'prometheus', namespace: observability, labels: { [appLabel]: 'prometheus' } },
  { name: 'traefik', namespace: 'traefik', labels: { [appLabel]: 'traefik' } },
];
const places: Place[] = [...own, { name: 'stranger', namespace, labels: {} }, ...foreigners];

const services = processes.filter((name) => name !== 'gateway');
const allowed = new Set([
  ...[...drawnArrows()].filter((arrow) => !/→ (postgres|rabbitmq|valkey) /.test(arrow)),
  'traefik → gateway 8080',
  ...processes.flatMap((name) => [
    `prometheus → ${name} 9464`,
    `${name} → collector 4318`,
    `${name} → rabbitmq 5671`,
    `${name} → rabbitmq 5672`,
  ]),
  ...services.map((name) => `${name} → postgres 5432`),
  'gateway → valkey 6379',
  'gateway → valkey 6380',
  'auth → mail 465',
  'auth → mail 587',
  'courses → mail 465',
  'courses → mail 587',
  'auth → provider 443',
  'courses → provider 443',
  'homework → bucket 443',
  'quiz → bucket 443',
  // A webhook may have any public address, even that of the bucket.
  'courses → internet 443',
  'courses → bucket 443',
  // No policy restricts their connections outside Gradeway.
  ...foreigners.flatMap(({ name }) => world.map((end) => `${name} → ${end.name}`)),
  ...foreigners
    .filter((place) => place !== collector)
    .flatMap(({ name }) => [4317, 4318].map((port) => `${name} → collector ${port}`)),
]);
let reached: Set<string>;

takesTurns({ alone: ['traefik'] });
beforeAll(async () => {
  const namespaces = [namespace, observability].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  await kubectlInput(namespaces, 'apply');
  const policies = replaced(await kubectl('kustomize', overlay))
    .split(/^---$/m)
    .filter((manifest) => /^kind: NetworkPolicy$/m.test(manifest))
    .map((manifest) => manifest.replace(/^ {2}namespace: gradeway$/m, `  namespace: ${namespace}`));
  await kubectlInput(policies.join('---'), 'apply');

  const [addresses] = await Promise.all([openPlaces(places), openOutside(outside, world)]);
  const ends = [...world];
  for (const { name, ports = [] } of places)
    ends.push(...ports.map((port) => tcp(name, addresses.get(name) ?? '', port)));
  reached = await tryEveryPair(places, ends, addresses);
  printConnections(places, ends, reached, allowed);
});

afterAll(async () => {
  await closePlaces(places);
  await removeNamespaces(namespace, observability, outside);
});

const between = (pattern: RegExp, arrows: Set<string>) =>
  [...arrows].filter((arrow) => pattern.test(arrow)).toSorted();

test.each([
  ['only the four services reach PostgreSQL', / → postgres /],
  ['only the five processes reach RabbitMQ', / → rabbitmq /],
  ['only the gateway reaches the store of its limits', / → valkey /],
  ['the mail server is reached from auth and courses only', / → mail /],
  ['OpenID providers are reached from auth, and from courses for webhooks', / → provider /],
  ['homework and quiz reach the bucket, and so does courses for webhooks', / → bucket /],
  [
    'only courses reaches the internet, only over HTTPS, and no private network',
    / → (internet|private network) /,
  ],
  ['the five processes reach the trace collector', / → collector /],
  ['only Traefik reaches the gateway', / → gateway 8080$/],
  ['only Prometheus reaches the admin ports', / 9464$/],
])('in production %s', (_, pattern) => {
  expect(between(pattern, reached)).toEqual(between(pattern, allowed));
});

test('in production the processes reach each other as the diagram shows, and nothing else responds', () => {
  expect([...reached].toSorted()).toEqual([...allowed].toSorted());
});
