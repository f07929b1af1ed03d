import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { Scrape } from '@gradeway/test/metrics';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Production, productionNamespace } from './deployment/deployProduction.ts';
import { expectRestored, sha256 } from './deployment/expectRestored.ts';
import { createSecrets, generateSecrets, type Secret } from './deployment/externalSystems.ts';
import { kubectl, kubectlInput, removeNamespaces, rolledOut } from './kubernetes/kubectl.ts';
import { forwardPort, type PortForward } from './kubernetes/portForward.ts';

const [checkNamespace, restoredNamespace] = ['gradeway-restore-check', 'gradeway-from-bucket'];
const restoreScript = fileURLToPath(new URL('../../k8s/restoreBackup.js', import.meta.url));

/** Declares the tests of overlays/production/backup, of platform/restore-check and of a restore when the cluster is lost. */
export function describeBucketBackups(getProduction: () => Production): void {
  describe('backups in a bucket', () => {
    let directory: string;
    let identity: string;
    let scene: Scene;
    let digest: string;
    const tunnels: PortForward[] = [];
    const openTunnel = async (...end: Parameters<typeof forwardPort>) => {
      const tunnel = await forwardPort(...end);
      tunnels.push(tunnel);
      return `http://127.0.0.1:${tunnel.port}`;
    };
    const scrapeBackups = async () => {
      const url = await openTunnel(productionNamespace, 'deployment/backup-metrics', 'metrics');
      return new Scrape(await (await fetch(`${url}/metrics`)).text());
    };

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'gradeway-bucket-'));
      identity = await generateIdentity();
      const fixtures = new Fixtures(getProduction());
      scene = await fixtures.newScene();
      const file = await pdf('before-the-backup.pdf', { bytes: 200_000 });
      digest = sha256(await file.bytes());
      expect((await fixtures.submitQuiz(scene, { file })).status).toBe(200);
      expect((await fixtures.submitHomework(scene, [file])).status).toBe(201);
      const manifests = await getProduction().manifests('backup');
      await kubectlInput(manifests.replace('age1replaced', await identityToRecipient(identity)), 'apply');
      await rolledOut(productionNamespace, 'deployment/backup-metrics');
    });
    afterAll(async () => {
      for (const each of tunnels) each.stop();
      await rm(directory, { recursive: true });
      await kubectl('-n', productionNamespace, 'delete', 'job', 'backup-now', '--ignore-not-found');
      await removeNamespaces(checkNamespace, restoredNamespace);
    });

    test('the CronJob uploads one, and Prometheus can read its age', async () => {
      expect(await runJob(productionNamespace, 'backup', 'backup-now')).toMatch(
        /Backed up \d+ rows and \d+ files/,
      );
      const scraped = await scrapeBackups();
      const age = Date.now() / 1000 - (scraped.value('gradeway_backup_last_success_timestamp_seconds') ?? 0);
      expect(age).toBeLessThan(3_600);
    });

    test('the restore check restores it, in a pod that reaches only the bucket, and reports its success', async () => {
      const manifests = await getProduction().manifests('restoreCheck');
      await kubectlInput(manifests, 'apply');
      const keys = {
        BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
        BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER-secret-access-key',
      };
      const data = { ...keys, BACKUP_AGE_IDENTITY: identity };
      await createSecrets(checkNamespace, [{ name: 'restore-check', data }]);
      console.log((await runJob(checkNamespace, 'restore-check', 'check-now')).trim());
      const scraped = await scrapeBackups();
      expect(scraped.value('gradeway_restore_check_failed')).toBe(0);
      expect(scraped.value('gradeway_restore_check_last_success_timestamp_seconds')).toBeGreaterThan(0);
    });

    test('one command restores it into an empty namespace, with the accounts and the files', async () => {
      await kubectl('create', 'namespace', restoredNamespace);
      await createSecrets(restoredNamespace, await secretsOfRestored(getProduction().secrets));
      const file = join(directory, 'identity.txt');
      await writeFile(file, `# created: by a test\n${identity}\n`, { mode: 0o600 });
      const options = ['--backup', 'latest', '--identity-file', file, '--secrets-from', productionNamespace];
      const startedAt = Date.now();
      const { stdout } = await promisify(execFile)(process.execPath, [
        restoreScript,
        '--namespace',
        restoredNamespace,
        ...options,
      ]);
      console.log(
        `${stdout.split('\n').find((line) => line.startsWith('Restored '))} ` +
          `${Math.round((Date.now() - startedAt) / 1000)} s until everything was ready.`,
      );
      const baseUrl = await openTunnel(restoredNamespace, 'service/gateway', 8080);
      const { adminEmail, adminPassword } = getProduction();
      await expectRestored({ baseUrl, adminEmail, adminPassword }, scene, digest);
    }, 600_000);
  });
}

/** Runs a CronJob's Job once. Returns its log. */
async function runJob(namespace: string, cronJob: string, name: string): Promise<string> {
  await kubectl('-n', namespace, 'create', 'job', `--from=cronjob/${cronJob}`, name);
  const wait = ['wait', '--for=condition=complete', `job/${name}`, '--timeout=200s'];
  await kubectl('-n', namespace, ...wait).catch(async (error) => {
    // A container that has not started has no log.
    const log = await kubectl('-n', namespace, 'logs', `job/${name}`, '--all-containers').catch(String);
    throw new Error(`the job ${name} did not complete:\n${log.slice(-5_000)}`, { cause: error });
  });
  return kubectl('-n', namespace, 'logs', `job/${name}`, '-c', 'main');
}

/**
 * The Secrets that an operator creates when the cluster is lost: those of the old installation, with the addresses and passwords of
 * a new database and broker.
 */
async function secretsOfRestored(old: Secret[]): Promise<Secret[]> {
  const addresses = /^(DATABASE_URL|EVENTS_URL|BACKUP_DATABASE_URL|RATE_LIMIT_URL)$/;
  return (await generateSecrets()).map(({ name, data }) => {
    const kept = Object.entries(old.find((each) => each.name === name)?.data ?? {});
    return { name, data: { ...data, ...Object.fromEntries(kept.filter(([key]) => !addresses.test(key))) } };
  });
}
