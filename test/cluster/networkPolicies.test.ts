import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnArrows } from '../manifests/architecture.ts';
import { processes } from '../manifests/processes.ts';
import { takesTurns } from './deployment/turns.ts';
import { kubectlInput, removeNamespaces } from './kubernetes/kubectl.ts';
import { printConnections } from './network/connectionTable.ts';
import { placesOfGradeway, portsOfCluster, portsOfGradeway, tcp } from './network/gradewayPlaces.ts';
import { openOutside, reachedFromNode } from './network/outside.ts';
import { closePlaces, type End, openPlaces, type Place, tryEveryPair } from './network/places.ts';

const elsewhere = 'gradeway-elsewhere';
const outside = 'gradeway-outside';
// An address of a documentation network, which no host has, and one that courses must not reach.
const [publicAddress, privateAddress] = ['203.0.113.9', '192.168.255.254'];

const foreign = (name: string, labels: Record<string, string> = {}): Place => ({
  name,
  namespace: elsewhere,
  labels,
});
const foreigners = [
  foreign('elsewhere'),
  foreign('prometheus', { 'app.kubernetes.io/name': 'prometheus' }),
  // Has the labels of a process, but not its namespace.
  foreign('impostor', { 'app.kubernetes.io/name': 'auth', 'app.kubernetes.io/part-of': 'gradeway' }),
  {
    name: 'traefik',
    namespace: 'traefik',
    labels: { 'app.kubernetes.io/name': 'traefik' },
  },
];
const stranger: Place = { name: 'stranger', namespace: 'gradeway', labels: {}, ports: [8080] };

const world: End[] = [
  ...[25, 80, 443, 587].map((port) => tcp('internet', publicAddress, port)),
  { name: 'internet 53/udp', address: publicAddress, port: 53, protocol: 'udp' },
  tcp('private network', privateAddress, 443),
];

let places: Place[] = [];
let ends: End[];
let allowed: Set<string>;
let reached: Set<string>;

takesTurns({ alone: ['traefik'], unchanged: ['gradeway'] });
beforeAll(async () => {
  const own = (await placesOfGradeway()).map((place) =>
    // The backup, whose pod does not listen on any port.
    place.name === 'backup' ? { ...place, ports: [8080] } : place,
  );
  ends = [...(await portsOfGradeway()), ...(await portsOfCluster()), ...world];
  await kubectlInput([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: elsewhere } }], 'apply');
  places = [...own, stranger, ...foreigners];
  const [addresses] = await Promise.all([openPlaces(places), openOutside(outside, world)]);
  for (const { name, ports = [] } of places)
    ends.push(...ports.map((port) => tcp(name, addresses.get(name) ?? '', port)));
  allowed = allowedConnections(own);

  reached = await tryEveryPair(places, ends, addresses);
  printConnections(places, ends, reached, allowed);
});

afterAll(async () => {
  await closePlaces(places);
  await removeNamespaces(elsewhere, outside);
});

/** The connections in the diagram of ARCHITECTURE.md, and to the programs that k8s/README.md describes. */
function allowedConnections(own: Place[]): Set<string> {
  const insiders = [...own, stranger].map(({ name }) => name);
  const outsiders = foreigners.map(({ name }) => name);
  return new Set([
    ...drawnArrows(),
    // `courses -->|HTTPS, signed| receivers`: programs on the internet.
    'courses → internet 443',
    ...processes.map((name) => `${name} → jaeger 4318`),
    'backup → postgres 5432',
    // `client -->|HTTPS| gateway`: in a test cluster, clients may come through any proxy.
    ...outsiders.map((name) => `${name} → gateway 8080`),
    ...processes.map((name) => `prometheus → ${name} 9464`),
    ...insiders.flatMap((name) => [`${name} → dns 53`, `${name} → dns 53/udp`]),
    // These pods do not belong to Gradeway, whose policies restrict only their connections to Gradeway.
    ...outsiders.flatMap((name) =>
      ends
        .filter((end) => /^(dns|kubernetes|kubelet|internet|private network) /.test(end.name))
        .map((end) => `${name} → ${end.name}`),
    ),
  ]);
}

test('every port of the table responds to the node, which no policy restricts', async () => {
  expect(await reachedFromNode(outside, ends)).toEqual(ends.map(({ name }) => name));
});

test('every connection in the diagram of ARCHITECTURE.md works', () => {
  expect(drawnArrows().size).toBeGreaterThan(20);
  expect([...allowed].filter((arrow) => !reached.has(arrow))).toEqual([]);
});

test('every other pair of a pod and a port is unreachable', () => {
  const pairs = places.length * ends.length;
  expect(pairs).toBeGreaterThan(500);
  expect([...reached].filter((arrow) => !allowed.has(arrow))).toEqual([]);
  process.stdout.write(
    `${pairs} pairs: ${allowed.size} are allowed, ${pairs - reached.size} did not respond\n`,
  );
});

test('outside the cluster, Gradeway reaches only public addresses, only by HTTPS, and only from courses', () => {
  const inside = new Set(places.filter(({ namespace }) => namespace === 'gradeway').map(({ name }) => name));
  const leaving = [...reached].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return inside.has(from) && /^(kubernetes|kubelet|internet|private network) /.test(to);
  });
  expect(leaving).toEqual(['courses → internet 443']);
});
