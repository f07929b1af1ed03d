import { archiveNames } from '@gradeway/shared/files/archiveNames';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { ReadBuffers } from '@gradeway/shared/files/readAhead';
import { sendZip } from '@gradeway/shared/zip/sendZip';
import { zipLength } from '@gradeway/shared/zip/writeZip';
import type { Request, Response } from 'express';

interface Archive {
  /** The suggested file name; letters, digits, dots and hyphens. */
  name: string;
  /** The modification time of every entry. */
  time: Date;
  files: [LibraryFile, ...LibraryFile[]];
}

/**
 * Sends files as a ZIP archive. One file is open at a time, so memory does not grow with their size. If a file cannot
 * be read or differs from its record, the connection is closed, so that an incomplete archive never looks complete.
 */
export async function sendArchive(
  req: Request,
  res: Response,
  library: FileLibrary,
  archive: Archive,
): Promise<void> {
  const entries = entriesOf(archive);
  const setHeaders = () =>
    res.type('zip').set({
      'Content-Disposition': `attachment; filename="${archive.name}"`,
      'Content-Length': String(zipLength(entries)),
    });
  if (req.method === 'HEAD') {
    setHeaders().end();
    return;
  }
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  const buffers = new ReadBuffers();
  const open = (file: LibraryFile) => library.read(file, buffers, disconnected.signal);
  // Opens the first file before the headers are sent, so that a failing store still results in an error status.
  const [first] = archive.files;
  const opened = await open(first);
  setHeaders();
  const contents = entries.map(({ file, ...entry }) => ({
    ...entry,
    content: () => (file === first ? opened : open(file)),
  }));
  await sendZip(res, contents, disconnected.signal);
}

// Stores entries without compression: PDFs hardly compress, and this way the length of the archive is known in
// advance.
function entriesOf({ files, time }: Archive) {
  const names = archiveNames(files.map(({ name }) => name));
  return files.map((file, index) => ({
    file,
    path: names[index] as string,
    modifiedAt: time,
    known: { size: file.size, crc32: file.crc32 },
  }));
}
