import { processes } from '../../manifests/processes.ts';
import { kubectl, kubectlJson } from '../kubernetes/kubectl.ts';
import type { End, Place } from './places.ts';

const namespace = 'gradeway';

// Its image has no program that lists its ports. The names are from its protocols and administration.
const portsOfJaeger = [4317, 4318, 5778, 5779, 8888, 9411, 13133, 14250, 14268, 16685, 16686, 27777, 27778];

const workloads = [
  ...processes.map((name) => `deployment/${name}`),
  'statefulset/postgres',
  'statefulset/rabbitmq',
  'deployment/valkey',
  'deployment/jaeger',
  'cronjob/backup',
];

/** The place of each workload of Gradeway, with the labels that its pods have. */
export async function placesOfGradeway(): Promise<Place[]> {
  const { items } = await kubectlJson('-n', namespace, 'get', ...workloads);
  return items.map(({ metadata, spec }: { metadata: { name: string }; spec: WorkloadSpec }) => ({
    name: metadata.name,
    namespace,
    labels: (spec.template ?? spec.jobTemplate?.spec.template)?.metadata.labels,
  }));
}

interface WorkloadSpec {
  template?: PodTemplate;
  jobTemplate?: { spec: { template: PodTemplate } };
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
}

/** Every port on which a pod of Gradeway listens, whether it is in a manifest or not. */
export async function portsOfGradeway(): Promise<End[]> {
  const ends: End[] = [];
  for (const name of [...processes, 'postgres', 'rabbitmq', 'valkey', 'jaeger']) {
    const { pod, address } = await readyPod(namespace, `app.kubernetes.io/name=${name}`);
    const ports = name === 'jaeger' ? portsOfJaeger : await listeningPorts(pod);
    ends.push(...ports.map((port) => tcp(name, address, port)));
  }
  return ends;
}

/** The DNS server, the Kubernetes API and the kubelet. */
export async function portsOfCluster(): Promise<End[]> {
  const dns = await readyPod('kube-system', 'k8s-app=kube-dns');
  const api = await kubectlJson('-n', 'default', 'get', 'service', 'kubernetes');
  const { items } = await kubectlJson('get', 'nodes');
  const node = items[0].status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
  return [
    { ...tcp('dns', dns.address, 53), name: 'dns 53/udp', protocol: 'udp' },
    tcp('dns', dns.address, 53),
    tcp('kubernetes', api.spec.clusterIP, 443),
    tcp('kubelet', node, 10250),
  ];
}

export const tcp = (name: string, address: string, port: number): End => ({
  name: `${name} ${port}`,
  address,
  port,
  protocol: 'tcp',
});

async function readyPod(inNamespace: string, selector: string): Promise<{ pod: string; address: string }> {
  const { items } = await kubectlJson('-n', inNamespace, 'get', 'pods', '-l', selector);
  const isReady = ({ metadata, status }: PodState) =>
    !metadata.deletionTimestamp &&
    status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  const found = items.find(isReady);
  if (!found) throw new Error(`no pod ${selector} is ready`);
  return { pod: found.metadata.name, address: found.status.podIP };
}

interface PodState {
  metadata: { deletionTimestamp?: string };
  status: { conditions?: { type: string; status: string }[] };
}

/** The TCP ports that a pod opens to others, from the tables of its kernel. */
async function listeningPorts(pod: string): Promise<number[]> {
  const tables = await kubectl('-n', namespace, 'exec', pod, '--', 'cat', '/proc/net/tcp', '/proc/net/tcp6');
  const ports = tables.split('\n').flatMap((line) => {
    const [, address = '', port = '', state] = /^ *\d+: (\w+):(\w{4}) \w+:\w{4} (\w\w) /.exec(line) ?? [];
    const isLoopback = /^(0100007F|0{24}01000000|0{16}FFFF00000100007F)$/.test(address);
    return state === listening && !isLoopback ? Number.parseInt(port, 16) : [];
  });
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

const listening = '0A';
