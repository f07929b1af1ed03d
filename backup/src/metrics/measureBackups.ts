import { counter, gauge } from '@gradeway/shared/metrics/registry';
import { collectAtScrape } from '@gradeway/shared/metrics/scrapeCollectors';
import type { Logger } from '@gradeway/shared/process/logger';
import type { RestoreCheck } from '../storage/restoreCheck.ts';
import { type MeasuredBackups, type RecentBackup, recentBackups } from './recentBackups.ts';

const lastSuccess = gauge(
  'gradeway_backup_last_success_timestamp_seconds',
  'When the newest complete backup in the bucket was finished; 0 if there is none',
);
const size = gauge(
  'gradeway_backup_size_bytes',
  'Size of the newest complete backup: its compressed tables, and the files to which they refer',
  ['part'],
);
const previousSize = gauge(
  'gradeway_backup_previous_size_bytes',
  'Size of the complete backup before the newest one',
  ['part'],
);
const lastCheck = gauge(
  'gradeway_restore_check_last_success_timestamp_seconds',
  'When the last successful restore check was finished; 0 if there is none',
);
const checkFailed = gauge(
  'gradeway_restore_check_failed',
  '1 if the last restore check failed, otherwise 0, even if there was none',
);
const bucketErrors = counter(
  'gradeway_backup_bucket_errors_total',
  'Scrapes for which the bucket of the backups could not be read',
);

interface Source extends MeasuredBackups {
  restoreCheck(which: 'last' | 'succeeded'): Promise<RestoreCheck | undefined>;
}

/** Reads the state of the backups and of the restore checks from the bucket at each scrape. */
export function measureBackups(source: Source, log: Logger): () => void {
  const readRecent = recentBackups(source);

  async function collect(): Promise<void> {
    const recent = await readRecent();
    const last = await source.restoreCheck('last');
    const succeeded = await source.restoreCheck('succeeded');
    lastSuccess.set(seconds(recent[0]?.finishedAt));
    setSizes(size, recent[0]);
    setSizes(previousSize, recent[1]);
    lastCheck.set(seconds(succeeded && new Date(succeeded.finishedAt)));
    checkFailed.set(last?.ok === false ? 1 : 0);
  }

  return collectAtScrape({
    async collect() {
      try {
        await collect();
      } catch (error) {
        bucketErrors.inc();
        log.warn({ err: error }, 'the bucket of the backups could not be read');
        throw error;
      }
    },
    clear() {
      for (const each of [lastSuccess, lastCheck, checkFailed]) each.remove();
      for (const each of [size, previousSize]) each.reset();
    },
  });
}

function setSizes(metric: typeof size, backup: RecentBackup | undefined): void {
  metric.reset();
  if (!backup) return;
  metric.set({ part: 'database' }, backup.database);
  metric.set({ part: 'files' }, backup.files);
}

const seconds = (time: Date | undefined): number => (time ? time.getTime() / 1_000 : 0);
