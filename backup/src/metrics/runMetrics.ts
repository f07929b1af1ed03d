import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { runProcess } from '@gradeway/shared/process/runProcess';
import { metricsSettings } from '../config.ts';
import { bucketBackups } from '../storage/bucketBackups.ts';
import { measureBackups } from './measureBackups.ts';

// A collector has three seconds (shared/src/metrics/scrapeCollectors.ts), and the next scrape tries again.
const limits = { maxAttempts: 1, attemptMs: 2_000, silenceMs: 2_000 };

/** Serves the metrics of the backups in the bucket until the process is stopped. A bucket that is away does not stop it. */
export const runMetrics = (): Promise<void> =>
  runProcess('backup', metricsSettings, async ({ config, log, health, onStop }) => {
    const backups = bucketBackups(config, log, limits);
    onStop('the bucket', () => backups.close());
    onStop('the measurements', measureBackups(backups, log));
    const adminServer = await startAdminServer(health, config.host, config.adminPort);
    onStop('the admin port', () => adminServer.close());
  });
