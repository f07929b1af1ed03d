import { addAbortSignal, type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ExportSubmissionsPart } from '@gradeway/proto/submissions';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { ZipFile } from 'yazl';
import { createArchivePaths } from './archivePaths.ts';
import { SubmissionsManifest, submittedAt } from './submissionsManifest.ts';
import { type SubmissionKind, type SubmittedFile, splitFiles } from './submittedFiles.ts';

interface Source {
  kind: SubmissionKind;
  parts: AsyncGenerator<ExportSubmissionsPart, void, void>;
}

/**
 * Streams the submissions of a course as a ZIP archive that ends with `manifest.csv`. Files are read one at a time
 * and no faster than the archive is consumed, so memory does not grow with their number or size. An error destroys
 * the stream: a truncated archive never looks complete.
 */
export function createSubmissionsArchive(sources: Source[], clock: Clock, signal: AbortSignal): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  addEntries(zip, sources, clock, signal)
    .then(() => zip.end({ forceZip64Format: false, comment: '' }))
    .catch(fail);
  return output;
}

async function addEntries(zip: ZipFile, sources: Source[], clock: Clock, signal: AbortSignal): Promise<void> {
  const manifest = new SubmissionsManifest(clock);
  for (const { kind, parts } of sources) {
    const pathOf = createArchivePaths(kind);
    for await (const file of splitFiles(parts)) {
      const path = pathOf(file);
      if (!file.missing) await addFile(zip, path, file, signal);
      manifest.add(kind, path, file);
    }
  }
  await addStream(zip, 'manifest.csv', { compress: true }, Readable.from(manifest.content(), bytes), signal);
}

// PDFs hardly compress, so they are stored uncompressed.
function addFile(zip: ZipFile, path: string, file: SubmittedFile, signal: AbortSignal): Promise<void> {
  const options = { compress: false, size: file.size, mtime: submittedAt(file) };
  return addStream(zip, path, options, Readable.from(file.content, bytes), signal);
}

const bytes = { objectMode: false };

/** Adds one entry and waits until it has been read. */
function addStream(
  zip: ZipFile,
  path: string,
  options: Parameters<ZipFile['addReadStreamLazy']>[1],
  stream: Readable,
  signal: AbortSignal,
): Promise<void> {
  // yazl retains each entry with its callback until the end: the callback must not retain the stream.
  let pending: Readable | undefined = addAbortSignal(signal, stream);
  zip.addReadStreamLazy(path, options, (done) => {
    if (pending) done(null, pending);
    pending = undefined;
  });
  return finished(stream, { writable: false });
}
