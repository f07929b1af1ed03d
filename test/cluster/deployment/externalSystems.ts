import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kubectl, kubectlInput, kubectlJson, kubectlPiped, rolledOut } from '../kubernetes/kubectl.ts';

export const externalNamespace = 'gradeway-external';

const domain = `${externalNamespace}.svc.cluster.local`;
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const services = ['auth', 'courses', 'homework', 'quiz'];

export interface Secret {
  name: string;
  data: Record<string, string>;
}

/** Generated Secrets, with the addresses of systems in their own namespace. */
export async function generateSecrets(): Promise<Secret[]> {
  const script = file('../../../k8s/createSecrets.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--dry-run']);
  type Printed = { metadata: { name: string }; data: Record<string, string> };
  return (JSON.parse(stdout).items as Printed[]).map(({ metadata, data }) => ({
    name: metadata.name,
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    ),
  }));
}

/** The Secrets of production, as its secret store would have them: generated values, and addresses outside the namespace. */
export async function productionSecrets(): Promise<Secret[]> {
  const secrets = (await generateSecrets()).map(({ name, data }) => ({
    name,
    data: Object.fromEntries(
      Object.entries(data)
        // This production has no store for the limits.
        .filter(([key]) => key !== 'RATE_LIMIT_URL')
        .map(([key, value]) => [
          key,
          value.replace('@postgres:', `@pgbouncer.${domain}:`).replace('@rabbitmq:', `@rabbitmq.${domain}:`),
        ]),
    ),
  }));
  const ofFiles = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const ofBackups = {
    BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER-secret-access-key',
  };
  const keys: Record<string, object> = {
    homework: ofFiles,
    quiz: ofFiles,
    backup: { ...ofFiles, ...ofBackups },
  };
  return secrets
    .filter(({ name }) => [...services, 'gateway', 'backup'].includes(name))
    .map(({ name, data }) => ({ name, data: { ...data, ...keys[name] } }));
}

export const createSecrets = (namespace: string, secrets: Secret[]): Promise<string> =>
  kubectlInput(
    secrets.map(({ name, data }) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      stringData: data,
    })),
    'apply',
    '--server-side',
  );

/**
 * Starts PostgreSQL behind PgBouncer, RabbitMQ and a bucket, and prepares them as described in k8s/README.md, section
 * "Production". Returns the addresses that externalAccess.yaml needs, which are pod addresses, since policies apply
 * behind Services.
 */
export async function startExternalSystems(secrets: Secret[]): Promise<Record<string, string>> {
  const passwordsIn = (key: string) =>
    secrets.flatMap(({ name, data }) => (data[key] ? [[name, new URL(data[key]).password] as const] : []));
  const roles = [...passwordsIn('DATABASE_URL'), ...passwordsIn('BACKUP_DATABASE_URL')];
  await kubectl('apply', '-f', file('../platform/external.yaml'));
  await createSecrets(externalNamespace, [
    { name: 'postgres', data: { POSTGRES_PASSWORD: 'unused outside the pod' } },
    {
      name: 'pgbouncer',
      data: {
        'userlist.txt': roles.map(([name, password]) => `"gradeway_${name}" "${password}"\n`).join(''),
      },
    },
  ]);
  const prepare = {
    postgres: () => createRoles(roles),
    rabbitmq: () => createUsers(passwordsIn('EVENTS_URL')),
  };
  const workloads = ['postgres', 'pgbouncer', 'rabbitmq', 'bucket'];
  await Promise.all(
    workloads.map(async (name) => {
      await rolledOut(externalNamespace, `deployment/${name}`);
      await prepare[name as keyof typeof prepare]?.();
    }),
  );
  const { items } = await kubectlJson('-n', externalNamespace, 'get', 'pods');
  return Object.fromEntries(
    items.map((pod: { metadata: { labels: { app: string } }; status: { podIP: string } }) => [
      pod.metadata.labels.app,
      pod.status.podIP,
    ]),
  );
}

const inPod = (name: string) => ['-n', externalNamespace, 'exec', '-i', `deployment/${name}`, '--'];

async function createRoles(passwords: (readonly [string, string])[]): Promise<void> {
  const sql = await readFile(file('../../../k8s/platform/postgres/roles.sql'), 'utf8');
  const options = passwords.map(([name, password]) => `-c gradeway.${name}_password=${password}`).join(' ');
  const psql = [
    'psql',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    '/var/run/postgresql',
    '-U',
    'postgres',
    '-d',
    'gradeway',
  ];
  await kubectlPiped(sql, ...inPod('postgres'), 'env', `PGOPTIONS=${options}`, ...psql);
}

async function createUsers(passwords: (readonly [string, string])[]): Promise<void> {
  const definitions = await readFile(file('../../../k8s/platform/rabbitmq/definitions.json'), 'utf8');
  const commands = [
    'cat >/tmp/definitions.json',
    ...passwords.map(([name, password]) => `rabbitmqctl -q add_user gradeway_${name} ${password}`),
    'rabbitmqctl -q import_definitions /tmp/definitions.json',
  ];
  await kubectlPiped(definitions, ...inPod('rabbitmq'), 'sh', '-ec', commands.join('\n'));
}
