import { Readable } from 'node:stream';
import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { Logger } from '@gradeway/shared/process/logger';
import type { bucketSettings } from '../config.ts';
import { type BackupStorage, type Backups, isNameOfBackup, manifestName } from './backupStorage.ts';
import { type Decrypt, decryptWith, type Encrypt, encryptFor } from './encryption.ts';
import { type ObjectBucket, openObjectBucket } from './objectBucket.ts';

/*
 * backups/2026-11-22T02-15-00/manifest.json, database/…age: the tables of one backup
 * files/2026-11/quiz/…age: the files of all backups of a month
 *
 * Stored files never change, so that a backup uploads only those that no earlier backup of the month has. Each month
 * starts anew: nothing depends on an object that was written years ago, and a month without backups is deleted whole,
 * which needs no list of the files in a backup.
 */

/** The encrypted backups in the bucket BACKUP_S3_BUCKET. Reading one needs the identity, creating one the recipient. */
export function bucketBackups(config: ConfigOf<typeof bucketSettings>, log: Logger): Backups {
  const { bucketName, prefix, recipient, identity } = config;
  if (!bucketName) throw new Error('BACKUP_S3_BUCKET is required for backups in a bucket');
  const bucket = openObjectBucket(bucketName, connectionOf(config), log);
  const decrypt = decryptWith(identity);
  const [backups, files] = [`${prefix}backups/`, `${prefix}files/`];
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
