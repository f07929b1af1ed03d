import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { StoredFile } from './files/storedFiles.ts';
import { sha256Of, verified } from './files/verified.ts';
import {
  type Content,
  concurrentFiles,
  type FileService,
  fileObject,
  fileServices,
  type Manifest,
  readManifest,
  schemaNames,
  tableObject,
} from './manifest.ts';
import type { Progress } from './progress.ts';
import type { BackupStorage } from './storage/backupStorage.ts';

/**
 * Reads a whole backup and compares every checksum. Needs no database.
 * @throws Error naming the first damaged table or file
 */
export async function verifyBackup(storage: BackupStorage, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(storage);
  await verifyContent(storage, manifest, progress);
  return manifest;
}

/** Compares the tables and files with a manifest, which need not have been written yet. */
export async function verifyContent(
  storage: BackupStorage,
  manifest: Content,
  progress: Progress,
): Promise<void> {
  for (const service of schemaNames)
    for (const { name, sha256 } of manifest.schemas[service].tables) {
      const object = tableObject(service, name);
      if ((await sha256Of(storage.read(object))) !== sha256)
        throw new Error(`${object} is damaged: its SHA-256 differs from the manifest`);
    }
  for (const service of fileServices) {
    progress.step(`Verifying the files of ${service}`);
    const known = new Set(manifest.problems.filter((each) => each.service === service).map(({ key }) => key));
    let done = 0;
    const verify = async (file: StoredFile) => {
      if (!known.has(file.key)) await sha256Of(verified(storage.read(fileObject(service, file.key)), file));
    };
    const files = Readable.from(filesOf(storage, service, manifest)).map(verify, concurrentFiles);
    for await (const _ of files) {
      done += 1;
      progress.update(() => `Files of ${service}: ${done} verified`);
    }
    if (done !== manifest.files[service].count)
      throw new Error(
        `the backup contains ${done} files of ${service}, but the manifest lists ${manifest.files[service].count}`,
      );
  }
}

/** Yields the stored files listed in the backed-up table `files`. */
export async function* filesOf(
  storage: BackupStorage,
  service: FileService,
  { schemas }: Pick<Manifest, 'schemas'>,
): AsyncGenerator<StoredFile> {
  const columns = schemas[service].tables.find(({ name }) => name === 'files')?.columns ?? [];
  for await (const line of linesOf(storage.read(tableObject(service, 'files')))) {
    // Tabs and line breaks within a value are escaped in PostgreSQL's text format; \N is NULL.
    const values = line.split('\t');
    const textOf = (column: string): string => values[columns.indexOf(column)] ?? '\\N';
    if (textOf('attached_at') === '\\N' || textOf('removed_at') !== '\\N') continue;
    if (textOf('reduced_at') !== '\\N') continue;
    yield { key: textOf('key'), size: Number(textOf('size')), sha256: textOf('sha256') };
  }
}

/**
 * Yields the rows of a table's object. Only `\n` ends a row: node:readline also splits at U+2028 and U+2029, which file
 * names may contain.
 */
async function* linesOf(compressed: Readable): AsyncGenerator<string> {
  const texts = pipeline(compressed, createGunzip(), () => {}).setEncoding('utf8');
  let rest = '';
  for await (const text of texts as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
