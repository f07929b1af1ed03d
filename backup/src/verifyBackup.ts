import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { verifyFile } from './files/copyFile.ts';
import type { StoredFile } from './files/storedFiles.ts';
import {
  type FileService,
  filePath,
  fileServices,
  type Manifest,
  readManifest,
  schemaNames,
  tablePath,
} from './manifest.ts';
import type { Progress } from './progress.ts';

/**
 * Reads a whole backup and compares every sum, without a database.
 * @throws Error that names the first table or file that is damaged
 */
export async function verifyBackup(directory: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(directory);
  for (const service of schemaNames)
    for (const { name, sha256 } of manifest.schemas[service].tables) {
      const path = tablePath(directory, service, name);
      const sum = createHash('sha256');
      await pipeline(createReadStream(path), sum);
      if (sum.digest('hex') !== sha256)
        throw new Error(`${path} is damaged: its SHA-256 differs from the manifest`);
    }
  for (const service of fileServices) {
    progress.step(`Verifying the files of ${service}`);
    const known = new Set(manifest.problems.filter((each) => each.service === service).map(({ key }) => key));
    let done = 0;
    for await (const file of filesOf(directory, service, manifest)) {
      if (!known.has(file.key)) await verifyFile(filePath(directory, service, file.key), file);
      done += 1;
      progress.update(() => `Files of ${service}: ${done} verified`);
    }
    if (done !== manifest.files[service].count)
      throw new Error(
        `the backup lists ${done} files of ${service}, the manifest ${manifest.files[service].count}`,
      );
  }
  return manifest;
}

/** The stored files as the backed-up table `files` lists them. */
export async function* filesOf(
  directory: string,
  service: FileService,
  { schemas }: Manifest,
): AsyncGenerator<StoredFile> {
  const columns = schemas[service].tables.find(({ name }) => name === 'files')?.columns ?? [];
  const lines = createInterface({
    input: createReadStream(tablePath(directory, service, 'files')).pipe(createGunzip()),
  });
  for await (const line of lines) {
    // Tabs and line breaks within a value are escaped in PostgreSQL's text format; \N is NULL.
    const values = line.split('\t');
    const textOf = (column: string): string => values[columns.indexOf(column)] ?? '\\N';
    if (textOf('attached_at') === '\\N' || textOf('removed_at') !== '\\N') continue;
    if (textOf('reduced_at') !== '\\N') continue;
    yield { key: textOf('key'), size: Number(textOf('size')), sha256: textOf('sha256') };
  }
}
