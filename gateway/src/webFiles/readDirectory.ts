import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Encoding, encodings } from './compress.ts';

/** A file on disk and its compressed forms, which the build writes beside it (`a.js.br`, `a.js.gz`). */
export interface DiskFile {
  /** Relative to the directory, with slashes. */
  path: string;
  bytes: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
}

export const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Reads the regular files of a directory and its folders, except hidden ones. Ignores symbolic links, which could lead outside
 * the directory. Empty when the directory does not exist.
 */
export async function readDirectory(directory: string): Promise<DiskFile[]> {
  const paths = new Set(await listFiles(directory));
  const isCompressedForm = (path: string) =>
    encodings.some((encoding) => {
      const suffix = suffixes[encoding];
      return path.endsWith(suffix) && paths.has(path.slice(0, -suffix.length));
    });

  async function read(path: string): Promise<DiskFile> {
    const file = join(directory, path);
    const compressed: DiskFile['compressed'] = {};
    for (const encoding of encodings) {
      const suffix = suffixes[encoding];
      if (paths.has(path + suffix) && (await isCurrent(file + suffix, file)))
        compressed[encoding] = await readFile(file + suffix);
    }
    return { path, bytes: await readFile(file), compressed };
  }

  return Promise.all([...paths].filter((path) => !isCompressedForm(path)).map(read));
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/'))
      .filter((path) => !path.split('/').some((segment) => segment.startsWith('.')));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

// A compressed form that an earlier build left behind has different content.
async function isCurrent(compressed: string, original: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(compressed), stat(original)]);
  return one.mtimeMs >= other.mtimeMs;
}
