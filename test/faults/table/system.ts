import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import type { LocalSystem } from '@gradeway/test/localSystem';
import { Client } from 'pg';
import type { Kind } from './ledger.ts';

/** A running system under test: its public address, and direct access to its stored data, bypassing the services. */
export interface SystemUnderTest {
  baseUrl: string;
  adminEmail: string;
  adminPassword: string;
  /** Runs a query as the superuser of the database. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** The keys of all files in the store of a service. */
  storedKeys(kind: Kind): Promise<string[]>;
  /** The SHA-256 of files by key, without files that the store does not have. */
  storedSums(kind: Kind, keys: string[]): Promise<Map<string, string>>;
}

/** The data of a local run: the embedded PostgreSQL, and files in a directory. */
export function inspectLocalSystem(system: LocalSystem): SystemUnderTest {
  const storeOf = (kind: Kind) => join(system.directory, 'files', kind);
  return {
    baseUrl: system.baseUrl,
    adminEmail: system.adminEmail,
    adminPassword: system.adminPassword,
    async query(sql, values) {
      const secrets = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
      const { port } = await system.process('postgres');
      return queryOnce(superuserUrl({ port, password: secrets.postgres }, 'gradeway'), sql, values);
    },
    async storedKeys(kind) {
      const entries = await readdir(storeOf(kind), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    storedSums: (kind, keys) =>
      sumsOf(keys, (key) =>
        readFile(join(storeOf(kind), key.slice(0, 2), key)).catch((error) => {
          if (error.code === 'ENOENT') return undefined;
          throw error;
        }),
      ),
  };
}

/** The SHA-256 of files, which are read sequentially; `read` returns undefined for missing ones. */
export async function sumsOf(
  keys: string[],
  read: (key: string) => Promise<Buffer | undefined>,
): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const key of keys) {
    const bytes = await read(key);
    if (bytes) sums.set(key, createHash('sha256').update(bytes).digest('hex'));
  }
  return sums;
}

// A separate connection for each query: faults end connections.
async function queryOnce<Row extends object>(url: string, sql: string, values?: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
