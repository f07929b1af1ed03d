import type { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveNames } from '@gradeway/shared/files/archiveNames';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import type { Request, Response } from 'express';
import { ZipFile } from 'yazl';

interface Archive {
  /** What the reader saves it as; letters, digits, dots and hyphens. */
  name: string;
  /** Shown as the time of every file. */
  time: Date;
  files: [LibraryFile, ...LibraryFile[]];
}

type Open = (file: LibraryFile) => Promise<Readable>;

/**
 * Sends files as a ZIP archive. They are opened one after another, so memory stays the same however large they are.
 * An archive that cannot be finished ends with a broken connection, never as one that only looks complete.
 */
export async function sendArchive(
  req: Request,
  res: Response,
  library: FileLibrary,
  archive: Archive,
): Promise<void> {
  const [first] = archive.files;
  let reading: Readable | undefined;
  const open: Open = async (file) => {
    reading = await library.open(file);
    // The reader went away while the store was looking.
    if (res.destroyed) reading.destroy();
    return reading;
  };

  if (req.method === 'HEAD') {
    setHeaders(res, archive, zipOf(archive, never).length);
    res.end();
    return;
  }
  // A store that is out of reach shows here, while the answer can still be an error.
  const opened = await open(first);
  const { zip, length } = zipOf(archive, async (file) => (file === first ? opened : open(file)));
  setHeaders(res, archive, length);
  try {
    await pipeline(zip, res);
  } catch (error) {
    // A reader that goes away is no error; of a store that fails the log shall know.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    reading?.destroy();
  }
}

const never: Open = () => new Promise(() => {});

function setHeaders(res: Response, { name }: Archive, length: number | undefined): void {
  res.type('zip').set('Content-Disposition', `attachment; filename="${name}"`);
  if (length !== undefined) res.set('Content-Length', String(length));
}

// The files are stored as they are: a PDF hardly gets smaller, and so the length is known beforehand.
function zipOf({ files, time }: Archive, open: Open): { zip: PassThrough; length: number | undefined } {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);

  const names = archiveNames(files.map(({ name }) => name));
  for (const [index, file] of files.entries()) {
    const options = { compress: false, size: file.size, mtime: time };
    zip.addReadStreamLazy(names[index] as string, options, (give) => {
      open(file).then((stream) => give(null, stream.on('error', fail)), fail);
    });
  }
  let length: number | undefined;
  // yazl tells -1 when it cannot know, and its types do not tell that it tells anything.
  const learnLength = (told = -1) => {
    if (told >= 0) length = told;
  };
  zip.end({ forceZip64Format: false, comment: '' }, learnLength);
  return { zip: output, length };
}
