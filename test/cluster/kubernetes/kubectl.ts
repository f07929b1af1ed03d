import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { waitFor } from '@gradeway/test/waitFor';
import { listPods, readApi } from './readApi.ts';

const run = promisify(execFile);
const maxBuffer = 256 * 1024 * 1024;

/** Runs kubectl against the cluster of KUBECONFIG, and returns its output. Rejects with its error output. */
export async function kubectl(...parameters: string[]): Promise<string> {
  return (await run('kubectl', parameters, { maxBuffer })).stdout;
}

/** Runs `kubectl … -o json` and parses the result. */
// biome-ignore lint/suspicious/noExplicitAny: each caller reads the few fields that it needs of a Kubernetes object
export async function kubectlJson(...parameters: string[]): Promise<any> {
  return JSON.parse(await kubectl(...parameters, '-o', 'json'));
}

/** Runs `kubectl … -f -` with the objects, or the YAML text, on its standard input. */
export function kubectlInput(input: string | object[], ...parameters: string[]): Promise<string> {
  const text =
    typeof input === 'string' ? input : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: input });
  return kubectlPiped(text, ...parameters, '-f', '-');
}

/** Like `kubectl`, with a text on its standard input. */
export function kubectlPiped(text: string, ...parameters: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(errors))));
    child.stdin.end(text);
  });
}

/** Polls the cluster every second until `probe` returns something truthy. */
export const waitForCluster = <T>(probe: () => Promise<T>, timeoutMs = 120_000) =>
  waitFor(probe, timeoutMs, 1_000);

// Everything that would recreate a pod.
const controllers = 'cronjobs,jobs,deployments,replicasets,statefulsets,daemonsets';

/**
 * Deletes namespaces with everything in them. `namespacesRemoved` waits for it. Their pods, which are no longer used, are
 * killed first, because Kubernetes checks a namespace again only after half of the longest grace period of its pods.
 */
export async function removeNamespaces(...names: string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      await kubectl('-n', name, 'delete', controllers, '--all', '--cascade=orphan', '--wait=false');
      await kubectl('-n', name, 'delete', 'pods', '--all', '--grace-period=1', '--timeout=60s');
    }),
  );
  await kubectl('delete', 'namespace', ...names, '--ignore-not-found', '--wait=false');
}

/** Waits until no namespace is being deleted. */
export async function namespacesRemoved(): Promise<void> {
  await waitForCluster(async () => {
    const { items } = await readApi('/api/v1/namespaces');
    return items.every(({ status }: { status: { phase: string } }) => status.phase !== 'Terminating');
  }, 480_000);
}

/** Waits until every replica of a Deployment or StatefulSet is of the current version and ready. */
export async function rolledOut(namespace: string, workload: string, timeout = '300s'): Promise<void> {
  await kubectl('-n', namespace, 'rollout', 'status', workload, `--timeout=${timeout}`);
}

/**
 * Waits until all pods that an update of a Deployment has replaced are gone: such a pod still serves for
 * SHUTDOWN_DELAY.
 */
export async function replaced(namespace: string, name: string): Promise<void> {
  await rolledOut(namespace, `deployment/${name}`);
  await waitForCluster(async () => {
    const pods = await listPods(namespace, { labels: `app.kubernetes.io/name=${name}` });
    return pods.every((pod: { metadata: { deletionTimestamp?: string } }) => !pod.metadata.deletionTimestamp);
  });
}

/** The names of the pods with a label `app.kubernetes.io/name`, without terminating ones. */
export async function podsOf(namespace: string, app: string): Promise<string[]> {
  const pods = await listPods(namespace, { labels: `app.kubernetes.io/name=${app}` });
  return pods
    .filter((pod: { metadata: { deletionTimestamp?: string } }) => !pod.metadata.deletionTimestamp)
    .map((pod: { metadata: { name: string } }) => pod.metadata.name);
}

/** A value of a Secret. */
export async function secretValue(namespace: string, name: string, key: string): Promise<string> {
  const { data } = await kubectlJson('-n', namespace, 'get', 'secret', name);
  return Buffer.from(data[key], 'base64').toString();
}
