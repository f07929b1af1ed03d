import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { schemaUrl } from '@gradeway/local/provisionDatabase';
import type { LocalSystem } from '@gradeway/test/localSystem';

export const services = ['auth', 'courses', 'homework', 'quiz'] as const;

/**
 * Runs the migration of a service on a local run, as a deployment does.
 * @throws Error when it fails
 */
export async function runMigration(system: LocalSystem, name: (typeof services)[number]): Promise<void> {
  const secrets = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const { port } = await system.process('postgres');
  const adminUrl = superuserUrl({ port, password: secrets.postgres });
  const script = fileURLToPath(new URL(`../../../services/${name}/dist/command.js`, import.meta.url));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: schemaUrl(adminUrl, 'gradeway', name, secrets.roles[name]),
  };
  await promisify(execFile)(process.execPath, [script, 'migrate'], { env });
}
