import { kubectlJson } from './kubectl.ts';

export interface PodPort {
  pod: string;
  number: number;
}

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: { conditions?: { type: string; status: string }[] };
}

const isReady = ({ metadata, status }: Pod) =>
  !metadata.deletionTimestamp &&
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** Finds a ready pod of a Deployment, StatefulSet or Service, and the number of its port. */
export async function findPodPort(
  namespace: string,
  target: string,
  port: number | string,
): Promise<PodPort> {
  const { spec } = await kubectlJson('-n', namespace, 'get', target);
  const labels = Object.entries(spec.selector.matchLabels ?? spec.selector).map((pair) => pair.join('='));
  const { items } = await kubectlJson('-n', namespace, 'get', 'pods', '-l', labels.join());
  const pod: Pod | undefined = items.find(isReady);
  if (!pod) throw new Error(`${target} has no ready pod`);
  const service = spec.ports?.find((each: { port: number | string }) => each.port === port);
  const wanted = service?.targetPort ?? port;
  const ports = pod.spec.containers.flatMap((container) => container.ports ?? []);
  const number = ports.find(({ name }) => name === wanted)?.containerPort ?? Number(wanted);
  return { pod: pod.metadata.name, number };
}
