import { Client, DatabaseError } from 'pg';
import type { Kind } from '../../faults/table/ledger.ts';
import type { SystemUnderTest } from '../../faults/table/system.ts';
import { kubectl, secretValue } from './kubectl.ts';
import { forwardPort } from './portForward.ts';

// The directory of the files of homework and quiz in their pods.
const keptFiles = '/var/lib/gradeway/kept';

/** Gradeway as `k8s/overlays/all` deploys it in a namespace, with direct access to its data, bypassing the services. */
export async function inspectCluster(namespace: string, baseUrl: string): Promise<SystemUnderTest> {
  const inStore = (kind: Kind, ...command: string[]) =>
    kubectl('-n', namespace, 'exec', `deploy/${kind}`, '-c', 'main', '--', ...command);
  return {
    baseUrl,
    adminEmail: await secretValue(namespace, 'auth', 'ADMIN_EMAIL'),
    adminPassword: await secretValue(namespace, 'auth', 'ADMIN_PASSWORD'),
    query: postgresQueries(namespace),
    async storedKeys(kind) {
      const files = await inStore(kind, 'find', keptFiles, '-type', 'f');
      return files.split('\n').flatMap((file) => file.split('/').at(-1) || []);
    },
    async storedSums(kind, keys) {
      const wanted = new Set(keys);
      const lines = await inStore(kind, 'find', keptFiles, '-type', 'f', '-exec', 'sha256sum', '{}', '+');
      return new Map(
        lines.split('\n').flatMap((line): [string, string][] => {
          const [sum = '', path = ''] = line.split(/ +/);
          const key = path.split('/').at(-1) ?? '';
          return wanted.has(key) ? [[key, sum]] : [];
        }),
      );
    },
  };
}

/**
 * Runs queries as the superuser. One tunnel and one connection serve all queries until they fail, for example when
 * Postgres restarts.
 */
function postgresQueries(namespace: string): SystemUnderTest['query'] {
  let connection: Promise<{ client: Client; close(): void }> | undefined;
  const connect = async () => {
    const tunnel = await forwardPort(namespace, 'statefulset/postgres', 5432);
    const client = new Client({
      host: '127.0.0.1',
      port: tunnel.port,
      user: 'postgres',
      password: await secretValue(namespace, 'postgres', 'POSTGRES_PASSWORD'),
      database: 'gradeway',
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
    });
    client.on('error', () => {});
    const close = () => {
      client.end().catch(() => {});
      tunnel.stop();
    };
    try {
      await client.connect();
      return { client, close };
    } catch (error) {
      close();
      throw error;
    }
  };
  return async (sql, values = []) => {
    const isNew = !connection;
    connection ??= connect();
    const current = connection;
    try {
      return (await (await current).client.query(sql, values)).rows;
    } catch (error) {
      if (error instanceof DatabaseError && error.severity === 'ERROR') throw error;
      await current.then(({ close }) => close()).catch(() => {});
      connection = undefined;
      if (isNew) throw error;
      connection = connect();
      return (await (await connection).client.query(sql, values)).rows;
    }
  };
}
