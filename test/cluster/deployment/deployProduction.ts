import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@gradeway/test/waitFor';
import { createCertificate } from '../../manifests/createCertificate.ts';
import { processes } from '../../manifests/processes.ts';
import { replicasOf } from '../kubernetes/autoscalers.ts';
import { kubectl, kubectlInput, removeNamespaces, rolledOut, waitForCluster } from '../kubernetes/kubectl.ts';
import { forwardPort } from '../kubernetes/portForward.ts';
import {
  createSecrets,
  externalNamespace,
  productionSecrets,
  type Secret,
  startExternalSystems,
} from './externalSystems.ts';
import { gatewayHost } from './gatewayHost.ts';

export const productionNamespace = 'gradeway-production';

export interface Production {
  baseUrl: string;
  /** The file of the certificate of `baseUrl`, which this process trusts. */
  certificate: string;
  adminEmail: string;
  adminPassword: string;
  secrets: Secret[];
  /** Seconds from the first `kubectl apply` in its namespace until all processes were ready. */
  readySeconds: number;
  /** The manifests of overlays/production, or of a part of it. */
  manifests(part?: string): Promise<string>;
  stopForwarding(): void;
}

/**
 * Deploys overlays/production as described in k8s/README.md, section "Production", with the systems that it needs
 * outside its namespace.
 */
export async function deployProduction(): Promise<Production> {
  const secrets = await productionSecrets();
  const addresses = await startExternalSystems(secrets);
  const manifests = (part = '') => render(part, addresses);
  const startedAt = Date.now();
  await kubectlInput(await manifests('cluster'), 'apply');
  await createSecrets(productionNamespace, secrets);
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-cluster-'));
  const { key, certificate } = await createCertificate(directory, gatewayHost);
  const tls = ['secret', 'tls', 'gateway-tls', `--cert=${certificate}`, `--key=${key}`];
  await kubectl('-n', productionNamespace, 'create', ...tls);
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certificate, 'utf8')]);
  await kubectlInput(await manifests(), 'apply');
  for (const name of processes) await rolledOut(productionNamespace, `deployment/${name}`);
  // A Deployment begins with one replica; its autoscaler adds the other at its next evaluation, a few seconds later.
  await waitForCluster(async () =>
    (await replicasOf(productionNamespace, processes)).every(({ ready }) => ready >= 2),
  );
  const readySeconds = Math.round((Date.now() - startedAt) / 1000);

  const tunnel = await forwardPort('traefik', 'deployment/traefik', 'https');
  const baseUrl = `https://${gatewayHost}:${tunnel.port}`;
  await waitFor(async () => (await fetch(`${baseUrl}/readyz`)).ok);
  const auth = secrets.find(({ name }) => name === 'auth')?.data;
  return {
    baseUrl,
    certificate,
    adminEmail: auth?.ADMIN_EMAIL ?? '',
    adminPassword: auth?.ADMIN_PASSWORD ?? '',
    secrets,
    readySeconds,
    manifests,
    stopForwarding: tunnel.stop,
  };
}

export async function removeProduction(): Promise<void> {
  await removeNamespaces(productionNamespace, externalNamespace);
}

/** Renders a part with these addresses instead of the placeholders in externalAccess.yaml and toBucket.yaml. */
async function render(part: string, addresses: Record<string, string>): Promise<string> {
  const folder = fileURLToPath(new URL(`../overlays/production/${part}`, import.meta.url));
  return (await kubectl('kustomize', folder))
    .replaceAll('192.0.2.10/32', `${addresses.pgbouncer}/32`)
    .replaceAll('192.0.2.20/32', `${addresses.rabbitmq}/32`)
    .replaceAll(/198\.51\.100\.0\/24|203\.0\.113\.64\/26/g, `${addresses.bucket}/32`);
}
