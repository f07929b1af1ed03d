import type { Readable } from 'node:stream';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** The files of an archive that the import reads, in this order. */
export const fileNames = ['users', 'courses', 'classes', 'enrollments'] as const;

export type FileName = (typeof fileNames)[number];

export interface Archive extends Disposable {
  has(file: FileName | 'manifest'): boolean;
  /** Opens a file as an inflated stream. A file can be opened more than once. */
  open(file: FileName | 'manifest'): Promise<Readable>;
  /** Sorted names of the files that the import does not read. */
  ignored: string[];
}

interface Limits {
  /** Total declared size of the files to read. yauzl fails when an entry inflates to more than it declares. */
  maxInflatedBytes: number;
}

const maxEntries = 200;
// OneRoster 1.1 defines about twenty files, so a longer list is not useful.
const maxIgnored = 50;

/**
 * Opens a OneRoster archive on disk. Accepts files inside a folder and skips the metadata that macOS adds.
 * @throws AppError `invalid` when it is not a OneRoster archive or inflates to more than the limit
 */
export async function openArchive(path: string, limits: Limits): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error) => {
    throw invalidArchive('The file must be a ZIP archive.', error);
  });
  try {
    const { entries, ignored } = await readEntries(zip);
    if (!fileNames.some((name) => entries.has(name)))
      throw invalidArchive(
        'The archive must contain users.csv, courses.csv, classes.csv or enrollments.csv.',
      );
    const inflated = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (inflated > limits.maxInflatedBytes)
      throw invalidArchive(`The archive decompresses to more than ${limits.maxInflatedBytes} bytes.`);
    return {
      ignored: ignored.sort().slice(0, maxIgnored),
      has: (file) => entries.has(file),
      async open(file) {
        return zip.openReadStreamPromise(entries.get(file) as Entry).catch((error) => {
          throw damaged(error);
        });
      },
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readEntries(zip: ZipFile): Promise<{ entries: Map<string, Entry>; ignored: string[] }> {
  if (zip.entryCount > maxEntries)
    throw invalidArchive(`The archive may not have more than ${maxEntries} files.`);
  const entries = new Map<string, Entry>();
  const ignored: string[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const baseName = entry.fileName.split('/').at(-1) ?? '';
      if (baseName === '' || baseName.startsWith('.') || entry.fileName.startsWith('__MACOSX/')) continue;
      const file = readableFiles.find((each) => `${each}.csv` === baseName.toLowerCase());
      if (!file) {
        ignored.push(baseName.slice(0, 100));
        continue;
      }
      if (entries.has(file)) throw invalidArchive(`The archive contains ${file}.csv twice.`);
      if (!entry.canDecodeFileData())
        throw invalidArchive(`${file}.csv is encrypted or packed in an unusual way.`);
      entries.set(file, entry);
    }
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  }
  return { entries, ignored };
}

const readableFiles = ['manifest', ...fileNames];

const invalidArchive = (message: string, cause?: unknown) =>
  Object.assign(invalid({ file: [message] }), { cause });

const damaged = (cause: unknown) => invalidArchive('The archive is damaged.', cause);
