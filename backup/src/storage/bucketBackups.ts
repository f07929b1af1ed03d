import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { Logger } from '@gradeway/shared/process/logger';
import type { bucketSettings } from '../config.ts';
import { type BackupStorage, type Backups, isNameOfBackup, manifestName } from './backupStorage.ts';
import { type Decrypt, decryptWith, type Encrypt, encryptFor } from './encryption.ts';
import { type ObjectBucket, openObjectBucket, patient } from './objectBucket.ts';
import { parseRestoreCheck, type RestoreCheck } from './restoreCheck.ts';

/*
 * backups/2026-11-22T02-15-00/manifest.json, database/…age: the tables of one backup
 * files/2026-11/quiz/…age: the files of all backups of a month
 * restore-check/last.json, succeeded.json: the results of the last restore check and of the last successful one
 *
 * Stored files never change, so that a backup uploads only those that no earlier backup of the month has. Each month
 * starts with a full upload: nothing depends on an object that was written years ago, and a month without backups is
 * deleted whole, which needs no list of the files in a backup.
 */

interface BucketBackups extends Backups {
  /** The size of the tables of a backup as stored, in bytes. */
  sizeOfTables(name: string): Promise<number>;
  /** Returns undefined if there is none. @throws Error if it cannot be read */
  restoreCheck(which: 'last' | 'succeeded'): Promise<RestoreCheck | undefined>;
  recordRestoreCheck(result: RestoreCheck): Promise<void>;
}

/** The encrypted backups in the bucket BACKUP_S3_BUCKET. Reading one needs the identity, creating one the recipient. */
export function bucketBackups(
  config: ConfigOf<typeof bucketSettings>,
  log: Logger,
  limits = patient,
): BucketBackups {
  const { bucketName, prefix, recipient, identity } = config;
  if (!bucketName) throw new Error('BACKUP_S3_BUCKET is required for backups in a bucket');
  const bucket = openObjectBucket(bucketName, connectionOf(config), limits, log);
  const decrypt = decryptWith(identity);
  const [backups, files] = [`${prefix}backups/`, `${prefix}files/`];
  const keyOfCheck = (which: 'last' | 'succeeded') => `${prefix}restore-check/${which}.json`;
  const open = (name: string, encrypt?: Encrypt) =>
    bucketStorage({
      name,
      location: `s3://${bucketName}/${backups}${name}`,
      backups,
      files,
      bucket,
      decrypt,
      encrypt,
    });
  const removeAll = async (folder: string) => {
    for await (const key of bucket.keys(folder)) await bucket.remove(key);
  };
  return {
    open,
    names: async () => (await bucket.folders(backups)).filter(isNameOfBackup),
    isComplete: (name) => bucket.has(`${backups}${name}/${manifestName}`),
    async create(name) {
      if (!recipient) throw new Error('BACKUP_AGE_RECIPIENT is required: backups in a bucket are encrypted');
      return open(name, encryptFor(recipient));
    },
    async remove(name) {
      // First, so that an interrupted deletion leaves no backup that appears to be complete.
      await bucket.remove(`${backups}${name}/${manifestName}`);
      await removeAll(`${backups}${name}/`);
    },
    async removeFilesBefore(name) {
      const months = await bucket.folders(files);
      for (const month of months) if (month < monthOf(name)) await removeAll(`${files}${month}/`);
    },
    sizeOfTables: (name) => bucket.size(`${backups}${name}/database/`),
    async restoreCheck(which) {
      const key = keyOfCheck(which);
      if (!(await bucket.has(key))) return undefined;
      return parseRestoreCheck(await text(bucket.get(key)));
    },
    async recordRestoreCheck(result) {
      const content = Buffer.from(`${JSON.stringify(result)}\n`);
      // The success first: a failure after it leaves the earlier result, not a wrong one.
      if (result.ok) await bucket.put(keyOfCheck('succeeded'), Readable.from([content]));
      await bucket.put(keyOfCheck('last'), Readable.from([content]));
    },
    close: () => bucket.close(),
  };
}

function connectionOf({ endpoint, region, forcePathStyle, ...config }: ConfigOf<typeof bucketSettings>) {
  const { accessKeyId, secretAccessKey } = config;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return { endpoint, region, forcePathStyle, credentials };
}

const monthOf = (name: string): string => name.slice(0, 7);

interface Place {
  name: string;
  location: string;
  /** Prefixes of the tables and the files. */
  backups: string;
  files: string;
  bucket: ObjectBucket;
  decrypt: Decrypt;
  encrypt: Encrypt | undefined;
}

function bucketStorage({ name, location, backups, files, bucket, decrypt, encrypt }: Place): BackupStorage {
  const keyOf = (object: string): string => {
    if (object === manifestName) return `${backups}${name}/${object}`;
    const folder = object.startsWith('files/') ? `${files}${monthOf(name)}` : `${backups}${name}`;
    return `${folder}/${object.replace(/^files\//, '')}.age`;
  };
  return {
    location,
    verifiesBackups: false,
    async write(object, content) {
      if (!encrypt) throw new Error(`${location} was opened for reading`);
      // Readable without the identity: it only has counts and checksums.
      await bucket.put(keyOf(object), object === manifestName ? content : encrypt(content));
    },
    has: (object) => bucket.has(keyOf(object)),
    read(object) {
      const key = keyOf(object);
      const content = bucket.get(key);
      return Readable.from(object === manifestName ? content : decrypt(content, key), { objectMode: false });
    },
  };
}
