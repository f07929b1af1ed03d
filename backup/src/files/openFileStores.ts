import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import { openDirectoryStore } from '@gradeway/shared/files/directoryStore';
import type { FileStore } from '@gradeway/shared/files/fileStore';
import type { Logger } from '@gradeway/shared/process/logger';
import type { settings } from '../config.ts';
import type { FileService } from '../manifest.ts';

export type FileStores = Record<FileService, FileStore>;

/** Opens the file stores of homework and quiz: their prefixes in `S3_BUCKET`, or their directories. */
export async function openFileStores(config: ConfigOf<typeof settings>, log: Logger): Promise<FileStores> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3Region: region } = config;
  if (!bucket)
    return {
      homework: await openDirectoryStore(config.homeworkFiles),
      quiz: await openDirectoryStore(config.quizFiles),
    };
  // Imported only when used, because the AWS SDK is large.
  const { openS3Store } = await import('@gradeway/shared/files/s3Store');
  const common = { bucket, endpoint, region, forcePathStyle: config.s3ForcePathStyle };
  return {
    homework: openS3Store({ ...common, prefix: config.homeworkS3Prefix }, log),
    quiz: openS3Store({ ...common, prefix: config.quizS3Prefix }, log),
  };
}
