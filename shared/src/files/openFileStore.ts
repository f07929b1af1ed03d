import type { ConfigOf } from '../readConfig.ts';
import type { Process } from '../runProcess.ts';
import { openDirectoryStore } from './directoryStore.ts';
import type { fileSettings } from './fileSettings.ts';
import type { FileStore } from './fileStore.ts';
import { openS3Store } from './s3Store.ts';

/** The store that the settings name: a bucket, which replicas share, or else a directory of this machine. */
export async function openFileStore({
  config,
  log,
  health,
  onStop,
}: Process<ConfigOf<typeof fileSettings>>): Promise<FileStore> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3Region: region, s3Prefix: prefix = '' } = config;
  const store = bucket
    ? openS3Store({ bucket, endpoint, region, prefix, forcePathStyle: config.s3ForcePathStyle }, log)
    : await openDirectoryStore(config.filesDirectory);
  health.needs('file store', () => store.check());
  onStop('the file store', () => store.close());
  return store;
}
