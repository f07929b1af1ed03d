import type { Readable } from 'node:stream';
import { invalid } from '@gradeway/shared/errors/appError';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** The files of an archive that mean something here, in the order in which they are read. */
export const fileNames = ['users', 'courses', 'classes', 'enrollments'] as const;

export type FileName = (typeof fileNames)[number];

export interface Archive extends Disposable {
  has(file: FileName | 'manifest'): boolean;
  /** The bytes of a file, inflated as they are read; as often as one likes. */
  open(file: FileName | 'manifest'): Promise<Readable>;
  /** Names of the files that mean nothing here, sorted. */
  ignored: string[];
}

interface Limits {
  /** Of the archive's files that are read, when inflated. What an entry announces is what it may have. */
  maxInflatedBytes: number;
}

const mostEntries = 200;
// OneRoster 1.1 has twenty-odd files; of others nobody needs to hear the names.
const mostIgnored = 50;

/**
 * Opens a OneRoster archive on disk. A folder around the files makes no difference, nor what a Mac adds.
 * @throws AppError `invalid` when it is no archive of this kind, or inflates to more than is allowed
 */
export async function openArchive(path: string, limits: Limits): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error) => {
    throw refused('The file must be a ZIP archive.', error);
  });
  try {
    const { entries, ignored } = await readEntries(zip);
    if (!fileNames.some((name) => entries.has(name)))
      throw refused('The archive has none of users.csv, courses.csv, classes.csv and enrollments.csv.');
    const inflated = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (inflated > limits.maxInflatedBytes)
      throw refused(`The archive inflates to more than ${limits.maxInflatedBytes} bytes.`);
    return {
      ignored: ignored.sort().slice(0, mostIgnored),
      has: (file) => entries.has(file),
      async open(file) {
        return zip.openReadStreamPromise(entries.get(file) as Entry).catch((error) => {
          throw broken(error);
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
  if (zip.entryCount > mostEntries) throw refused(`The archive may not have more than ${mostEntries} files.`);
  const entries = new Map<string, Entry>();
  const ignored: string[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.split('/').at(-1) ?? '';
      if (name === '' || name.startsWith('.') || entry.fileName.startsWith('__MACOSX/')) continue;
      const known = knownName(name);
      if (!known) {
        ignored.push(name.slice(0, 100));
        continue;
      }
      if (entries.has(known)) throw refused(`The archive has ${known}.csv twice.`);
      if (!entry.canDecodeFileData()) throw refused(`${known}.csv is encrypted or packed in an unusual way.`);
      entries.set(known, entry);
    }
  } catch (error) {
    throw error instanceof Error && error.name === 'AppError' ? error : broken(error);
  }
  return { entries, ignored };
}

const known = ['manifest', ...fileNames];
const knownName = (name: string): string | undefined =>
  known.find((each) => `${each}.csv` === name.toLowerCase());

const refused = (message: string, cause?: unknown) => Object.assign(invalid({ file: [message] }), { cause });

const broken = (cause: unknown) => refused('The archive is damaged.', cause);
