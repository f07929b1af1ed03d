import { readFileSync } from 'node:fs';
import { kubectl, kubectlInput, waitForCluster } from '../kubernetes/kubectl.ts';
import { readApi } from '../kubernetes/readApi.ts';

/** An address at which something listens. */
export interface End {
  /** As in `quiz 8080`. */
  name: string;
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}

/** A pod that takes the place of another: it has the same labels, and therefore the same network policies. */
export interface Place {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  /** The ports on which it listens. */
  ports?: number[];
}

const image = 'gradeway/gateway:1.0.0';
const placeLabel = 'gradeway.test/place';
const podName = (place: Place) => `place-${place.name}`;

/** A command that runs a file of this folder in a container with Node.js. */
export const nodeCommand = (file: string, parameter: unknown): string[] => {
  const program = readFileSync(new URL(file, import.meta.url), 'utf8');
  return ['node', '--input-type=module-typescript', '-e', program, JSON.stringify(parameter)];
};

/** Creates the pods, and returns the address of each by the name of its place. */
export async function openPlaces(places: Place[]): Promise<Map<string, string>> {
  await kubectlInput(places.map(podOf), 'apply');
  const addresses = new Map<string, string>();
  await waitForCluster(async () => {
    const { items } = await readApi('/api/v1/pods', { labelSelector: placeLabel });
    for (const { metadata, status } of items)
      if (status.phase === 'Running' && status.podIP)
        addresses.set(metadata.labels[placeLabel], status.podIP);
    return places.every(({ name }) => addresses.has(name));
  }, 180_000);
  return addresses;
}

export async function closePlaces(places: Place[]): Promise<void> {
  for (const namespace of new Set(places.map((place) => place.namespace)))
    await kubectl('-n', namespace, 'delete', 'pods', '-l', placeLabel, '--ignore-not-found');
}

/**
 * Connects from every place to every endpoint, and returns the connections that got a response, as `quiz → courses
 * 9090`. A place does not connect to itself, which no policy can prevent.
 */
export async function tryEveryPair(
  places: Place[],
  ends: End[],
  addresses: Map<string, string>,
): Promise<Set<string>> {
  const answered = await Promise.all(
    places.map(async (place) => {
      const others = ends.filter(({ address }) => address !== addresses.get(place.name));
      const found = await reachedFrom(place.namespace, podName(place), others);
      return found.map((end) => `${place.name} → ${end}`);
    }),
  );
  return new Set(answered.flat());
}

/** The endpoints that respond to a connection from a pod, by name. */
export async function reachedFrom(namespace: string, pod: string, ends: End[]): Promise<string[]> {
  const command = nodeCommand('connectFromPod.ts', ends);
  const output = await kubectl('-n', namespace, 'exec', pod, '-c', 'main', '--', ...command);
  const answers: boolean[] = JSON.parse(output);
  return ends.filter((_, index) => answers[index]).map(({ name }) => name);
}

const podOf = (place: Place) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: podName(place),
    namespace: place.namespace,
    labels: { ...place.labels, [placeLabel]: place.name },
  },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 2,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'main',
        image,
        command: nodeCommand(
          'listenInPod.ts',
          (place.ports ?? []).map((port) => ({ address: '0.0.0.0', port, protocol: 'tcp' })),
        ),
        // Nothing listens on this port: a pod that is never ready gets no requests from the Services that select it.
        readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 3600 },
        resources: { requests: { cpu: '1m', memory: '16Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  },
});
