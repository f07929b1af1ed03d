import { BlockList, isIPv6 } from 'node:net';
import type {
  INetworkPolicyPeer,
  INetworkPolicyPort,
  INetworkPolicySpec,
} from 'kubernetes-models/networking.k8s.io/v1';
import { allOf, workloadsOf } from './manifests.ts';

type Labels = Record<string, string>;

/** One end of a connection: a pod, or an address outside the cluster. */
export interface End {
  name: string;
  /** The labels of the pod; undefined outside the cluster. */
  labels?: Labels;
  namespace?: string;
  address?: string;
}

/** Evaluates the network policies of a folder as Kubernetes does. */
export class Policies {
  readonly folder: string;
  readonly #policies: INetworkPolicySpec[];
  readonly #namespace: string;

  constructor(folder: string, namespace = 'gradeway') {
    this.folder = folder;
    this.#namespace = namespace;
    this.#policies = allOf(folder, 'NetworkPolicy').map(({ spec }) => spec);
  }

  /** One pod of each workload in the folder. */
  pods(): End[] {
    return workloadsOf(this.folder).map(({ name, template }) => ({
      name,
      labels: template.metadata.labels,
      namespace: this.#namespace,
    }));
  }

  pod(name: string): End {
    const found = this.pods().find((each) => each.name === name);
    if (!found) throw new Error(`${this.folder} runs no ${name}`);
    return found;
  }

  /** Whether the egress policies allow a connection. A pod that no egress policy selects may connect to anything. */
  mayLeave(from: End, to: End, port: number, protocol = 'TCP'): boolean {
    const rules = this.#selecting(from, 'Egress')?.flatMap(({ egress = [] }) => egress);
    if (!rules) return true;
    return rules.some((rule) => this.#fits(rule.to, to) && fitsPort(rule.ports, port, protocol));
  }

  /** Whether the ingress policies allow a connection. */
  mayEnter(from: End, to: End, port: number): boolean {
    const rules = this.#selecting(to, 'Ingress')?.flatMap(({ ingress = [] }) => ingress);
    if (!rules) return true;
    return rules.some((rule) => this.#fits(rule.from, from) && fitsPort(rule.ports, port, 'TCP'));
  }

  #selecting({ labels, namespace }: End, type: 'Ingress' | 'Egress'): INetworkPolicySpec[] | undefined {
    if (!labels || namespace !== this.#namespace) return undefined;
    const selecting = this.#policies.filter(
      ({ podSelector, policyTypes = [] }) => policyTypes.includes(type) && selects(podSelector ?? {}, labels),
    );
    return selecting.length > 0 ? selecting : undefined;
  }

  #fits(peers: INetworkPolicyPeer[] | undefined, end: End): boolean {
    if (!peers || peers.length === 0) return true;
    return peers.some(({ ipBlock, podSelector, namespaceSelector }) => {
      if (ipBlock)
        return end.address !== undefined && isWithin(end.address, ipBlock.cidr, ipBlock.except ?? []);
      if (!end.labels) return false;
      const namespace = { 'kubernetes.io/metadata.name': end.namespace ?? '' };
      const near = namespaceSelector
        ? selects(namespaceSelector, namespace)
        : end.namespace === this.#namespace;
      return near && selects(podSelector ?? {}, end.labels);
    });
  }
}

type Selector = NonNullable<INetworkPolicyPeer['podSelector']>;

/** Whether a label selector matches; an empty one matches everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const byExpression = matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator !== 'In') throw new Error(`this test does not implement the operator ${operator}`);
    return values.includes(labels[key] ?? '');
  });
  return byExpression && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

const fitsPort = (ports: INetworkPolicyPort[] | undefined, port: number, protocol: string): boolean =>
  !ports || ports.some((each) => each.port === port && (each.protocol ?? 'TCP') === protocol);

function isWithin(address: string, cidr: string, except: string[]): boolean {
  const contains = (block: string) => {
    const [network = '', bits] = block.split('/');
    if (isIPv6(network) !== isIPv6(address)) return false;
    const list = new BlockList();
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    list.addSubnet(network, Number(bits), family);
    return list.check(address, family);
  };
  return contains(cidr) && !except.some(contains);
}
