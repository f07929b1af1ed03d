import { Client } from 'pg';
import type { Kind } from '../faults/table/ledger.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';
import { kubectl, kubectlBytes, secretValue } from './kubectl.ts';
import { forwardPort } from './portForward.ts';

/** Where homework and quiz keep their files, in their pods. */
export const keptFiles = '/var/lib/gradeway/kept';

/** Gradeway as `k8s/overlays/all` deploys it in a namespace, with its data behind the back of the services. */
export async function inspectCluster(namespace: string, baseUrl: string): Promise<SystemUnderTest> {
  const inStore = (kind: Kind) => ['-n', namespace, 'exec', `deploy/${kind}`, '-c', 'main', '--'];
  return {
    baseUrl,
    adminEmail: await secretValue(namespace, 'auth', 'ADMIN_EMAIL'),
    adminPassword: await secretValue(namespace, 'auth', 'ADMIN_PASSWORD'),
    query: (sql, values) => queryPostgres(namespace, sql, values),
    async storedKeys(kind) {
      const files = await kubectl(...inStore(kind), 'find', keptFiles, '-type', 'f');
      return files.split('\n').flatMap((file) => file.split('/').at(-1) || []);
    },
    storedBytes: (kind, key) =>
      kubectlBytes(...inStore(kind), 'cat', `${keptFiles}/${key.slice(0, 2)}/${key}`).catch((error) => {
        if (String(error.stderr).includes('No such file')) return undefined;
        throw error;
      }),
  };
}

// A tunnel for each query: one that stays open would end with the pod, which tests delete.
async function queryPostgres<Row extends object>(
  namespace: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const tunnel = await forwardPort(namespace, 'statefulset/postgres', 5432);
  const client = new Client({
    host: '127.0.0.1',
    port: tunnel.port,
    user: 'postgres',
    password: await secretValue(namespace, 'postgres', 'POSTGRES_PASSWORD'),
    database: 'gradeway',
  });
  try {
    await client.connect();
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
    tunnel.stop();
  }
}
