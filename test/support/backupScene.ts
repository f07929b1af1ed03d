import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { inject } from 'vitest';
import { type Scrape, scrape } from './metrics.ts';
import { runProgram } from './runProgram.ts';
import { type S3Server, startS3Server } from './s3Server.ts';
import { createTestDatabase, type TestDatabase } from './testDatabase.ts';
import { waitFor } from './waitFor.ts';

export const backupProgram = fileURLToPath(new URL('../../backup/dist/main.js', import.meta.url));

const lastSuccess = 'gradeway_backup_last_success_timestamp_seconds';

interface BackupMetrics {
  once(): Promise<Scrape>;
  /** Scrapes until a condition holds. */
  when(isSo: (found: Scrape) => boolean): Promise<Scrape>;
  /** Scrapes until the bucket was read in time: on a busy machine, a scrape may end before. */
  read(): Promise<Scrape>;
}

/** A database and files to back up, and a bucket for the backups. */
export class BackupScene {
  readonly bucket: S3Server;
  readonly database: TestDatabase;
  readonly directory: string;
  readonly identity: string;
  /** The settings of a backup, without the identity. */
  readonly settings: NodeJS.ProcessEnv;
  readonly #metrics: ChildProcess[] = [];

  private constructor(bucket: S3Server, database: TestDatabase, directory: string, identity: string) {
    this.bucket = bucket;
    this.database = database;
    this.directory = directory;
    this.identity = identity;
    this.settings = {
      BACKUP_DATABASE_URL: superuserOf(database),
      HOMEWORK_FILES_DIR: join(directory, 'homework'),
      QUIZ_FILES_DIR: join(directory, 'quiz'),
      BACKUP_S3_BUCKET: bucket.bucket,
      BACKUP_S3_ENDPOINT: bucket.env.S3_ENDPOINT,
      BACKUP_S3_FORCE_PATH_STYLE: '1',
      BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
      BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER-secret-access-key',
    };
  }

  static async start(): Promise<BackupScene> {
    const directory = await mkdtemp(join(tmpdir(), 'gradeway-backup-'));
    const identity = await generateIdentity();
    const scene = new BackupScene(await startS3Server(), await createTestDatabase(), directory, identity);
    scene.settings.BACKUP_AGE_RECIPIENT = await identityToRecipient(identity);
    return scene;
  }

  async remove(): Promise<void> {
    for (const child of this.#metrics) child.kill('SIGKILL');
    await this.bucket.remove();
    await this.database.drop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Stores a file of quiz, as the service would. */
  async storeFile(bytes: Buffer): Promise<string> {
    const key = randomUUID();
    await mkdir(join(this.directory, 'quiz', key.slice(0, 2)), { recursive: true });
    await writeFile(join(this.directory, 'quiz', key.slice(0, 2), key), bytes);
    await this.database.query(
      `INSERT INTO quiz.files (key, name, size, sha256, crc32, attached_at)
       VALUES ($1, 'answers of Mona.pdf', $2, $3, 0, now())`,
      [key, bytes.length, createHash('sha256').update(bytes).digest('hex')],
    );
    return key;
  }

  backUp(...options: string[]) {
    return runProgram([backupProgram, 'backup', '--to-bucket', ...options], this.settings);
  }

  /** Runs a command that decrypts a backup. */
  read(action: 'verify' | 'restore' | 'check-restore', name = 'latest', env: NodeJS.ProcessEnv = {}) {
    return runProgram([backupProgram, action, '--from-bucket', name], {
      ...this.settings,
      BACKUP_AGE_IDENTITY: this.identity,
      ...env,
    });
  }

  /** Starts the process that serves the metrics. */
  async startMetrics(): Promise<BackupMetrics> {
    const port = await freePort();
    const env = { ...this.settings, HOST: '127.0.0.1', ADMIN_PORT: String(port), LOG_LEVEL: 'silent' };
    this.#metrics.push(
      spawn(process.execPath, [backupProgram, 'metrics'], {
        env: { PATH: process.env.PATH, ...env },
        stdio: 'ignore',
      }),
    );
    const once = () => scrape(`http://127.0.0.1:${port}`);
    const when = (isSo: (found: Scrape) => boolean) =>
      waitFor(async () => {
        const found = await once();
        return isSo(found) && found;
      });
    await when((found) => found.value('gradeway_check_ok', { check: 'start' }) === 1);
    const read = () => when((found) => found.value(lastSuccess) !== undefined);
    return { once, when, read };
  }
}

/** The URL of the superuser in a database of the test run. */
export function superuserOf(of: TestDatabase): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = new URL(of.url('quiz')).pathname;
  return url.href;
}

/** The name in the output of a backup. */
export const nameIn = (output: string): string => /backups\/([\dT-]+)\n/.exec(output)?.[1] ?? '';

/** Names consist of the time in seconds. */
export const nextSecond = (after: string) =>
  waitFor(() => new Date().toISOString().replaceAll(':', '-') > `${after}.999`);
