import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { kubectl, kubectlInput, rolledOut } from '../kubernetes/kubectl.ts';
import { forwardPort } from '../kubernetes/portForward.ts';

/** A time series of a query, with the values that are numbers. */
export interface Series {
  labels: Record<string, string>;
  values: number[];
}

interface Target {
  labels: Record<string, string>;
  scrapeUrl: string;
  health: 'up' | 'down' | 'unknown';
  lastError: string;
}

interface Rule {
  name: string;
  type: 'alerting' | 'recording';
  health: 'ok' | 'err' | 'unknown';
  lastError?: string;
}

export interface Prometheus {
  targets(): Promise<Target[]>;
  rules(): Promise<Rule[]>;
  labelValues(metric: string, label: string): Promise<string[]>;
  /** The values of a graph from that time until now. */
  graph(query: string, from: Date): Promise<Series[]>;
  /** Removes it from the cluster. */
  remove(): Promise<void>;
}

const folder = new URL('../../../k8s/platform/monitoring/', import.meta.url);
const manifest = fileURLToPath(new URL('../platform/prometheus.yaml', import.meta.url));
const seconds = 5;

/**
 * Runs Prometheus in the namespace `monitoring`, as the README of k8s/platform/monitoring describes for a cluster
 * without the operator.
 */
export async function startPrometheus(): Promise<Prometheus> {
  await kubectl('apply', '-f', manifest);
  await kubectl('apply', '-n', 'monitoring', '-k', fileURLToPath(folder));
  await kubectlInput([await configMap()], 'apply');
  await rolledOut('monitoring', 'deployment/prometheus');
  const tunnel = await forwardPort('monitoring', 'deployment/prometheus', 9090);

  const get = async (path: string, parameters: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${tunnel.port}/api/v1/${path}?${new URLSearchParams(parameters)}`;
    const response = await fetch(url);
    // biome-ignore lint/suspicious/noExplicitAny: each method below names the fields that it reads
    const answer = (await response.json()) as any;
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };

  return {
    targets: async () => (await get('targets', { state: 'active' })).activeTargets,
    rules: async () => (await get('rules')).groups.flatMap((group: { rules: Rule[] }) => group.rules),
    labelValues: (metric, label) => get(`label/${label}/values`, { 'match[]': metric }),
    async graph(query, from) {
      const range = { start: from.toISOString(), end: new Date().toISOString(), step: `${seconds}s` };
      const { result } = await get('query_range', { query, ...range });
      return result.map(({ metric, values }: { metric: Series['labels']; values: [number, string][] }) => ({
        labels: metric,
        values: values.map(([, value]) => Number(value)).filter((value) => !Number.isNaN(value)),
      }));
    },
    async remove() {
      tunnel.stop();
      await kubectl('delete', '-f', manifest, '--ignore-not-found', '--wait=false');
    },
  };
}

/** The configuration with shorter intervals, because a test has less patience than an operator. */
async function configMap(): Promise<object> {
  const shipped = await readFile(new URL('prometheus.yaml', folder), 'utf8');
  const config = shipped.replaceAll(/(_interval|_timeout): 1\ds/g, `$1: ${seconds}s`);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'prometheus', namespace: 'monitoring' },
    data: { 'prometheus.yaml': config },
  };
}
