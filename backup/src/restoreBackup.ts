import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from '@gradeway/shared/files/fileStore';
import type { Client } from 'pg';
import { asOwner, inTransaction, withClient } from './database/connect.ts';
import { importTable } from './database/copyTable.ts';
import { createSchema, requireEmptySchema } from './database/createSchema.ts';
import type { StoredFile } from './files/storedFiles.ts';
import { verified } from './files/verified.ts';
import {
  concurrentFiles,
  type FileService,
  fileObject,
  fileServices,
  type Manifest,
  type SchemaName,
  schemaNames,
} from './manifest.ts';
import { prepareSchema } from './prepareRecovered.ts';
import type { Progress } from './progress.ts';
import type { ListedErasure } from './repeatErasures.ts';
import type { BackupStorage } from './storage/backupStorage.ts';
import { filesOf, verifyBackup } from './verifyBackup.ts';

interface Dependencies {
  databaseUrl: string;
  stores: Record<FileService, Pick<FileStore, 'put'>>;
  /** Erasures to repeat for people in the backup. */
  erasures: ListedErasure[];
  progress: Progress;
}

/**
 * Restores a backup into an empty installation whose services are stopped: roles and schemas exist, tables do not. Each
 * schema gets the migrations that it had; its service applies newer ones when it starts. The rows are loaded in one
 * transaction, after the files, so that a failed restore can simply be repeated.
 */
export async function restoreBackup(dependencies: Dependencies, storage: BackupStorage): Promise<Manifest> {
  const { databaseUrl, progress } = dependencies;
  const manifest = await verifyBackup(storage, progress);
  await withClient(databaseUrl, async (client) => {
    for (const service of schemaNames)
      await requireEmptySchema(client, service, manifest.schemas[service].migrations);
  });
  for (const service of schemaNames) {
    progress.step(`Database: creating the tables of ${service}`);
    await createSchema(databaseUrl, service, manifest.schemas[service].migrations);
  }
  await restoreFiles(dependencies, storage, manifest);
  await withClient(databaseUrl, (client) =>
    inTransaction(client, 'BEGIN', async () => {
      for (const service of schemaNames) {
        progress.step(`Database: loading the rows of ${service}`);
        await asOwner(client, service, async () => {
          await loadRows(client, service, manifest, storage);
          await prepareSchema(client, service, dependencies);
        });
      }
    }),
  );
  return manifest;
}

async function restoreFiles(
  { stores, progress }: Pick<Dependencies, 'stores' | 'progress'>,
  storage: BackupStorage,
  manifest: Manifest,
): Promise<void> {
  const unavailable = new Set(manifest.problems.map(({ service, key }) => `${service} ${key}`));
  const temporary = await mkdtemp(join(tmpdir(), 'gradeway-restore-'));
  try {
    for (const service of fileServices) {
      progress.step(`Files of ${service}: ${manifest.files[service].count}`);
      let done = 0;
      const restore = async (file: StoredFile) => {
        if (unavailable.has(`${service} ${file.key}`)) return;
        // The store may move this copy away.
        const path = join(temporary, randomUUID());
        const content = verified(storage.read(fileObject(service, file.key)), file);
        await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }));
        await stores[service].put(file.key, { path, size: file.size, sha256: file.sha256 });
        await rm(path, { force: true });
      };
      const files = Readable.from(filesOf(storage, service, manifest)).map(restore, concurrentFiles);
      for await (const _ of files) {
        done += 1;
        progress.update(() => `Files of ${service}: ${done} restored`);
      }
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function loadRows(
  client: Client,
  service: SchemaName,
  { schemas }: Manifest,
  storage: BackupStorage,
): Promise<void> {
  const { tables, sequences } = schemas[service];
  // Removes the rows that migrations insert: their own names, and defaults.
  await client.query(`TRUNCATE ${tables.map(({ name }) => `${service}."${name}"`).join(', ')}`);
  for (const table of tables) {
    const name = `${service}."${table.name}"`;
    // Triggers maintain counters and copies, which the backup already contains.
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await importTable(client, { schema: service, ...table }, storage);
    await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval($1::regclass, $2::bigint)', [`${service}."${name}"`, value]);
}
