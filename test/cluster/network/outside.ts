import { kubectl, kubectlInput } from '../kubernetes/kubectl.ts';
import { type End, nodeCommand, reachedFrom } from './places.ts';

const image = 'gradeway-test/outside:1.0.0';
const pod = 'outside';

/**
 * Adds addresses to the node that belong to no pod, and listens there in place of the systems outside the cluster. The
 * addresses are gone when the namespace is deleted. A pod in the node's network, which no policy restricts.
 */
export async function openOutside(namespace: string, ends: End[]): Promise<void> {
  const addresses = [...new Set(ends.map(({ address }) => address))];
  const each = (command: string) =>
    `for a in ${addresses.join(' ')}; do ip address ${command} $a/32 dev lo; done`;
  const spec = {
    hostNetwork: true,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    // An init container, because the program below listens at once.
    initContainers: [
      { name: 'addresses', image, command: ['sh', '-c', each('replace')], ...networkAdministrator },
    ],
    containers: [
      {
        name: 'main',
        image,
        command: nodeCommand('listenInPod.ts', ends),
        lifecycle: { preStop: { exec: { command: ['sh', '-c', each('delete')] } } },
        ...networkAdministrator,
      },
    ],
  };
  await kubectlInput(
    [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: pod, namespace }, spec },
    ],
    'apply',
  );
  await kubectl('-n', namespace, 'wait', 'pod', pod, '--for=condition=Ready', '--timeout=120s');
}

const networkAdministrator = {
  securityContext: { runAsUser: 0, capabilities: { add: ['NET_ADMIN'] } },
  resources: { requests: { cpu: '1m', memory: '16Mi' } },
};

/** The endpoints that respond to a connection from the node. */
export const reachedFromNode = (namespace: string, ends: End[]): Promise<string[]> =>
  reachedFrom(namespace, pod, ends);
