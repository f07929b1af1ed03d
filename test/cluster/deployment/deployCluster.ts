import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@gradeway/test/waitFor';
import type { TestProject } from 'vitest/node';
import { processes } from '../../manifests/processes.ts';
import {
  kubectl,
  kubectlInput,
  namespacesRemoved,
  removeNamespaces,
  rolledOut,
} from '../kubernetes/kubectl.ts';
import { forwardPort, type PortForward } from '../kubernetes/portForward.ts';
import { serveTurns } from './serveTurns.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The gateway behind Traefik, on the loopback address. */
    baseUrl: string;
    /** Seconds from the first `kubectl apply` until all pods were ready. */
    readySeconds: number;
  }
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const stateful = ['statefulset/postgres', 'statefulset/rabbitmq', 'deployment/jaeger'];
const deployments = processes.map((name) => `deployment/${name}`);

/**
 * Deploys Gradeway as k8s/README.md says, and Traefik in front of it; removes both after the tests, unless KEEP is set.
 * Updates a deployment left by an earlier run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  const progress = (text: string) =>
    process.stdout.write(`${Math.round((Date.now() - startedAt) / 1000)} s: ${text}\n`);

  await namespacesRemoved();
  progress('creating the Secrets');
  await promisify(execFile)(process.execPath, [folder('../../../k8s/createSecrets.js')]);
  const appliedAt = Date.now();
  await kubectl('apply', '-k', folder('../overlays/all'));
  // A test reads the trace of a single request from Jaeger.
  const sampleAll = 'OTEL_TRACES_SAMPLER_ARG=1';
  await kubectl('-n', 'gradeway', 'set', 'env', 'deployment/gateway', '--containers=main', sampleAll);
  for (const workload of [...stateful, ...deployments]) {
    progress(`waiting for ${workload}`);
    await rolledOut('gradeway', workload);
  }
  project.provide('readySeconds', Math.round((Date.now() - appliedAt) / 1000));
  const controller = await kubectl('kustomize', folder('../overlays/controller'));
  await kubectlInput(controller.replace('namespaces: [gradeway]', 'namespaces: []'), 'apply');
  await rolledOut('traefik', 'deployment/traefik');
  const tunnel: PortForward = await forwardPort('traefik', 'deployment/traefik', 'http');
  const baseUrl = `http://127.0.0.1:${tunnel.port}`;
  await waitFor(async () => (await fetch(`${baseUrl}/readyz`)).ok);
  progress(`Gradeway is available at ${baseUrl}`);
  project.provide('baseUrl', baseUrl);
  const turns = await serveTurns();
  project.provide('turnsPort', turns.port);

  return async () => {
    tunnel.stop();
    turns.close();
    progress('removing the deployment');
    if (!process.env.KEEP) await removeNamespaces('gradeway', 'traefik');
    await namespacesRemoved();
  };
}
