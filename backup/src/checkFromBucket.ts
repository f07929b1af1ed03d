import { readConfig } from '@gradeway/shared/config/readConfig';
import { createLogger } from '@gradeway/shared/process/logger';
import { checkRestore } from './checkRestore.ts';
import { checkSettings } from './config.ts';
import { type Manifest, totalsOf } from './manifest.ts';
import type { Progress } from './progress.ts';
import { newestComplete } from './storage/backupStorage.ts';
import { bucketBackups } from './storage/bucketBackups.ts';

/**
 * Checks that a backup in the bucket can be restored, and records the result in the bucket, for the metrics.
 * @param name of the backup, or `latest`
 * @throws Error with the reason, after the failure was recorded
 */
export async function checkFromBucket(
  name: string,
  progress: Progress,
): Promise<{ manifest: Manifest; location: string }> {
  const config = readConfig(checkSettings, process.env);
  const { checkDatabaseUrl: templateUrl } = config;
  if (!templateUrl) throw new Error('BACKUP_CHECK_DATABASE_URL is required for a restore check');
  const backups = bucketBackups(config, createLogger('backup', 'error'));
  let backup = name;
  const record = (restored?: ReturnType<typeof totalsOf>) =>
    backups.recordRestoreCheck({
      backup,
      finishedAt: new Date().toISOString(),
      ok: restored !== undefined,
      restored,
    });
  try {
    if (name === 'latest') backup = await newestComplete(backups);
    const storage = backups.open(backup);
    const manifest = await checkRestore({ templateUrl, progress }, storage);
    await record(totalsOf(manifest));
    return { manifest, location: storage.location };
  } catch (error) {
    await record().catch((cause) => progress.step(`The failure was not recorded: ${cause.message}`));
    throw error;
  } finally {
    backups.close();
  }
}
