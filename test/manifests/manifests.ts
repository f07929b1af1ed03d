import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@gradeway/shared/config/readConfig';
import type { IPodTemplateSpec } from 'kubernetes-models/v1';
import { inject } from 'vitest';
import { type ProcessName, processes } from './processes.ts';

export { processes };

/** Any Kubernetes object. schema.test.ts checks it against the schema of its kind. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a different shape
  spec?: any;
  data?: Record<string, string>;
}

export const folders = Object.keys(inject('manifests'));

export function objectsOf(folder: string): Manifest[] {
  const found = inject('manifests')[folder];
  if (!found) throw new Error(`k8s/${folder} has no kustomization`);
  return found;
}

export const allOf = (folder: string, kind: string): Manifest[] =>
  objectsOf(folder).filter((each) => each.kind === kind);

export function find(folder: string, kind: string, name: string): Manifest {
  const found = allOf(folder, kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`k8s/${folder} has no ${kind} ${name}`);
  return found;
}

export interface Workload {
  name: string;
  template: Required<IPodTemplateSpec> & { spec: object; metadata: { labels: Record<string, string> } };
}

/** The objects of a folder that run pods. */
export const workloadsOf = (folder: string): Workload[] =>
  objectsOf(folder)
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'].includes(kind))
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      template: spec.template ?? spec.jobTemplate.spec.template,
    }));

/** The folders that a process can be applied from: alone or with all, on a test cluster or in production. */
export const placesOf = (name: ProcessName): string[] => [
  `services/${name}`,
  'overlays/all',
  `overlays/production/${name}`,
  'overlays/production',
];

export const everyPlace = processes.flatMap((name) =>
  placesOf(name).map((folder) => [name, folder] as const),
);

/** The main container of a process. */
export function containerOf(folder: string, name: ProcessName) {
  const container = find(folder, 'Deployment', name).spec.template.spec.containers[0];
  return container as import('kubernetes-models/v1').IContainer;
}

/** Every setting that a process reads. */
export async function settingsOf(name: ProcessName): Promise<Settings> {
  const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
  const module = await import(new URL(`../../${folder}/dist/config.js`, import.meta.url).href);
  return module.settings as Settings;
}

let secrets: Map<string, Record<string, string>> | undefined;

/** The data that k8s/createSecrets.js generates for a Secret. */
export function secretOf(name: string): Record<string, string> {
  secrets ??= new Map(
    createSecrets().map(({ metadata, data = {} }) => [
      metadata.name,
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      ),
    ]),
  );
  const found = secrets.get(name);
  if (!found) throw new Error(`k8s/createSecrets.js generates no Secret ${name}`);
  return found;
}

function createSecrets(): Manifest[] {
  const script = fileURLToPath(new URL('../../k8s/createSecrets.js', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, '--dry-run'], { encoding: 'utf8' })).items;
}

/** The environment of a process: the variables in the manifests (`open`) and those from its Secret (`secret`). */
export function environmentOf(folder: string, name: ProcessName) {
  const { env = [], envFrom = [] } = containerOf(folder, name);
  const open: Record<string, string> = {};
  const secret: Record<string, string> = {};
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef?.name) Object.assign(open, find(folder, 'ConfigMap', configMapRef.name).data);
    if (secretRef?.name) Object.assign(secret, secretOf(secretRef.name));
  }
  for (const { name: key, value } of env) open[key] = value ?? '';
  return { open, secret };
}
