import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Encoding, encodings } from './contentEncoding.ts';

/** A file on disk, with what the build has compressed beside it (`a.js.br`, `a.js.gz`). */
export interface DiskFile {
  /** Relative to the directory, with slashes. */
  path: string;
  bytes: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
}

export const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Reads the regular files of a directory and its folders, without hidden ones. Links are left out: a file is served because it
 * was built, not because something leads to it. Undefined when the directory does not exist.
 */
export async function readDirectory(directory: string): Promise<DiskFile[] | undefined> {
  const paths = await listFiles(directory);
  if (!paths) return undefined;
  const all = new Set(paths);
  const originals = paths.filter((path) => !isBeside(path, all));
  return Promise.all(originals.map((path) => readOne(directory, path, all)));
}

async function listFiles(directory: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/'))
      .filter((path) => !path.split('/').some((segment) => segment.startsWith('.')));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const isBeside = (path: string, all: Set<string>): boolean =>
  Object.values(suffixes).some((suffix) => path.endsWith(suffix) && all.has(path.slice(0, -suffix.length)));

async function readOne(directory: string, path: string, all: Set<string>): Promise<DiskFile> {
  const file = join(directory, path);
  const compressed: DiskFile['compressed'] = {};
  for (const encoding of encodings) {
    const beside = file + suffixes[encoding];
    if (all.has(path + suffixes[encoding]) && (await isCurrent(beside, file)))
      compressed[encoding] = await readFile(beside);
  }
  return { path, bytes: await readFile(file), compressed };
}

// One of an earlier build would serve the earlier file to those who accept its encoding.
async function isCurrent(beside: string, file: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(beside), stat(file)]);
  return one.mtimeMs >= other.mtimeMs;
}
