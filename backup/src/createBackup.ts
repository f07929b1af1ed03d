import { Readable } from 'node:stream';
import { FileMissingError } from '@gradeway/shared/files/fileStore';
import type { Client } from 'pg';
import { inTransaction, withClient } from './database/connect.ts';
import { exportTable } from './database/copyTable.ts';
import { readSchema } from './database/readSchema.ts';
import type { FileStores } from './files/openFileStores.ts';
import { countStoredFiles, isStillStored, type StoredFile, storedFiles } from './files/storedFiles.ts';
import { DamagedFileError, verified } from './files/verified.ts';
import {
  type Content,
  concurrentFiles,
  type FileProblem,
  type FileService,
  fileObject,
  fileServices,
  type Manifest,
  type SchemaEntry,
  type SchemaName,
  schemaNames,
  writeManifest,
} from './manifest.ts';
import type { Progress } from './progress.ts';
import type { BackupStorage } from './storage/backupStorage.ts';
import { verifyContent } from './verifyBackup.ts';

interface Dependencies {
  databaseUrl: string;
  stores: FileStores;
  progress: Progress;
}

// Each attempt takes a new snapshot. It reuses the files of earlier attempts, so it copies faster and fewer files are
// deleted in the meantime.
const maxAttempts = 5;

/** A file of the snapshot was deleted before it was copied, so the snapshot cannot become a backup. */
class SnapshotOutdated extends Error {}

/**
 * Backs up the database and the files at one point in time, while the system runs. The database is read in one
 * snapshot. The files that it refers to are copied first, before they can be deleted. Stored files never change; if one
 * has been deleted, a new snapshot is taken. The manifest is written last; in a directory, after everything was
 * read back and verified.
 */
export async function createBackup(dependencies: Dependencies, storage: BackupStorage): Promise<Manifest> {
  const startedAt = new Date().toISOString();
  for (let attempt = 1; ; attempt += 1)
    try {
      const content = await backUpSnapshot(dependencies, storage);
      if (storage.verifiesBackups) await verifyContent(storage, content, dependencies.progress);
      const finished = { format: 1 as const, startedAt, ...content, finishedAt: new Date().toISOString() };
      await writeManifest(storage, finished);
      return finished;
    } catch (error) {
      if (!(error instanceof SnapshotOutdated) || attempt === maxAttempts) throw error;
      dependencies.progress.step(`${error.message}; taking a new snapshot`);
    }
}

function backUpSnapshot(
  { databaseUrl, stores, progress }: Dependencies,
  storage: BackupStorage,
): Promise<Content> {
  return withClient(databaseUrl, (snapshot) =>
    inTransaction(snapshot, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
      // The first statement takes the snapshot.
      const { rows } = await snapshot.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const takenAt = (rows[0]?.now ?? new Date()).toISOString();
      const { files, problems } = await copyAllFiles({ snapshot, databaseUrl, stores, progress, storage });
      const schemas = {} as Record<SchemaName, SchemaEntry>;
      for (const service of schemaNames) {
        progress.step(`Database: schema ${service}`);
        schemas[service] = await exportSchema(snapshot, service, storage);
      }
      return { takenAt, schemas, files, problems };
    }),
  );
}

interface Copies extends Dependencies {
  snapshot: Client;
  storage: BackupStorage;
}

/** @throws SnapshotOutdated only after all other files have been copied, for the next attempt */
function copyAllFiles({
  snapshot,
  databaseUrl,
  stores,
  progress,
  storage,
}: Copies): Promise<Pick<Content, 'files' | 'problems'>> {
  return withClient(databaseUrl, async (current) => {
    const files = {} as Content['files'];
    const problems: FileProblem[] = [];
    let deleted = 0;
    for (const service of fileServices) {
      files[service] = await countStoredFiles(snapshot, service);
      progress.step(`Files of ${service}: ${files[service].count} (${megabytes(files[service].bytes)})`);
      for await (const problem of copyFiles({ snapshot, service, stores, progress, storage }))
        if (await isStillStored(current, service, problem.key)) problems.push(problem);
        else deleted += 1;
    }
    if (deleted > 0) throw new SnapshotOutdated(`${deleted} files were deleted during the backup`);
    return { files, problems };
  });
}

async function exportSchema(
  client: Client,
  service: SchemaName,
  storage: BackupStorage,
): Promise<SchemaEntry> {
  const { migrations, tables, sequences } = await readSchema(client, service);
  const exported = [];
  for (const { name, columns } of tables)
    exported.push(await exportTable(client, { schema: service, name, columns }, storage));
  return { migrations, tables: exported, sequences };
}

interface Copy {
  snapshot: Client;
  service: FileService;
  stores: FileStores;
  progress: Progress;
  storage: BackupStorage;
}

/** Copies the files that are not in the backup yet, and yields those that are missing or damaged in the store. */
async function* copyFiles({
  snapshot,
  service,
  stores,
  progress,
  storage,
}: Copy): AsyncGenerator<FileProblem> {
  let done = 0;
  const problems = Readable.from(storedFiles(snapshot, service)).map(
    async (file: StoredFile) => ({ key: file.key, problem: await copyFile(stores, service, file, storage) }),
    concurrentFiles,
  );
  for await (const { key, problem } of problems) {
    if (problem) yield { service, key, problem };
    done += 1;
    progress.update(() => `Files of ${service}: ${done} copied`);
  }
}

async function copyFile(
  stores: FileStores,
  service: FileService,
  file: StoredFile,
  storage: BackupStorage,
): Promise<FileProblem['problem'] | undefined> {
  const object = fileObject(service, file.key);
  if (await storage.has(object)) return undefined;
  try {
    await storage.write(object, verified(await stores[service].open(file.key), file));
    return undefined;
  } catch (error) {
    if (error instanceof FileMissingError) return 'missing';
    if (error instanceof DamagedFileError) return 'damaged';
    throw error;
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
