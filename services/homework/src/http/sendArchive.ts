import type { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveNames } from '@gradeway/shared/files/archiveNames';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import type { Request, Response } from 'express';
import { ZipFile } from 'yazl';

interface Archive {
  /** The suggested file name; letters, digits, dots and hyphens. */
  name: string;
  /** The modification time of every entry. */
  time: Date;
  files: [LibraryFile, ...LibraryFile[]];
}

type Open = (file: LibraryFile) => Promise<Readable>;

/**
 * Sends files as a ZIP archive. One file is open at a time, so memory does not grow with their size. If a file cannot
 * be read, the connection breaks: an incomplete archive never looks complete.
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
    // The client may have disconnected while the store opened the file.
    if (res.destroyed) reading.destroy();
    return reading;
  };

  if (req.method === 'HEAD') {
    setHeaders(res, archive, zipOf(archive, never).length);
    res.end();
    return;
  }
  // A failing store shows here, while an error status can still be sent.
  const opened = await open(first);
  const { zip, length } = zipOf(archive, async (file) => (file === first ? opened : open(file)));
  setHeaders(res, archive, length);
  try {
    await pipeline(zip, res);
  } catch (error) {
    // A client that disconnects is no error; a failing store is logged.
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

// Entries are not compressed: PDFs hardly shrink, and the length of the archive is known in advance.
function zipOf({ files, time }: Archive, open: Open): { zip: PassThrough; length: number | undefined } {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);

  const names = archiveNames(files.map(({ name }) => name));
  for (const [index, file] of files.entries()) {
    const options = { compress: false, size: file.size, mtime: time };
    zip.addReadStreamLazy(names[index] as string, options, (done) => {
      open(file).then((stream) => done(null, stream.on('error', fail)), fail);
    });
  }
  let length: number | undefined;
  // yazl passes the final size, or -1 if it is unknown; its types omit the parameter.
  const setLength = (finalSize = -1) => {
    if (finalSize >= 0) length = finalSize;
  };
  zip.end({ forceZip64Format: false, comment: '' }, setLength);
  return { zip: output, length };
}
