import type { ConfigOf } from '../config/readConfig.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { openDirectoryStore } from './directoryStore.ts';
import type { fileSettings } from './fileSettings.ts';
import type { FileStore } from './fileStore.ts';
import type { openS3Store } from './s3Store.ts';

/** Opens the configured store: the bucket `S3_BUCKET`, which replicas can share, or the directory `FILES_DIR`. */
export async function openFileStore({
  config,
  log,
  health,
  onStop,
}: ProcessContext<ConfigOf<typeof fileSettings>>): Promise<FileStore> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3Region: region, s3Prefix: prefix = '' } = config;
  const store = bucket
    ? await openBucket({ bucket, endpoint, region, prefix, forcePathStyle: config.s3ForcePathStyle }, log)
    : await openDirectoryStore(config.filesDirectory);
  health.addCheck('file store', () => store.check());
  onStop('the file store', () => store.close());
  return store;
}

// Imported only when used, because the AWS SDK is large.
async function openBucket(...parameters: Parameters<typeof openS3Store>): Promise<FileStore> {
  const { openS3Store } = await import('./s3Store.ts');
  return openS3Store(...parameters);
}
