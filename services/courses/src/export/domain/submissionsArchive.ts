import { addAbortSignal, type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ExportSubmissionsPart } from '@gradeway/proto/submissions';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { ZipFile } from 'yazl';
import { createSubmissionPaths } from './archivePaths.ts';
import { SubmissionsManifest, submittedAt } from './submissionsManifest.ts';
import { filesOf, type SubmittedContent } from './submittedFiles.ts';

export type SubmissionKind = 'homework' | 'quiz';

interface Source {
  kind: SubmissionKind;
  dependencies: AsyncGenerator<ExportSubmissionsPart, void, void>;
}

/**
 * A course's submissions as a ZIP archive, `manifest.csv` last. One file is read after another and no faster than the
 * archive is, so memory stays the same however many and large they are. What fails destroys the stream: an archive
 * that cannot be finished never looks complete.
 */
export function submissionsArchive(sources: Source[], clock: Clock, signal: AbortSignal): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  fill(zip, sources, clock, signal)
    .then(() => zip.end({ forceZip64Format: false, comment: '' }))
    .catch(fail);
  return output;
}

async function fill(zip: ZipFile, sources: Source[], clock: Clock, signal: AbortSignal): Promise<void> {
  const manifest = new SubmissionsManifest(clock);
  for (const { kind, dependencies } of sources) {
    const pathOf = createSubmissionPaths(kind);
    for await (const file of filesOf(dependencies)) {
      const path = pathOf(file);
      if (!file.missing) await addFile(zip, path, file, signal);
      manifest.add(kind, path, file);
    }
  }
  await addStream(zip, 'manifest.csv', { compress: true }, Readable.from(manifest.content(), bytes), signal);
}

// A PDF hardly gets smaller: it is stored as it is.
const addFile = (zip: ZipFile, path: string, file: SubmittedContent, signal: AbortSignal): Promise<void> =>
  addStream(
    ...([zip, path, { compress: false, size: file.size, mtime: submittedAt(file) }] as const),
    Readable.from(file.content, bytes),
    signal,
  );

const bytes = { objectMode: false };

/** Adds one entry and waits until it was read. */
function addStream(
  zip: ZipFile,
  path: string,
  options: Parameters<ZipFile['addReadStreamLazy']>[1],
  stream: Readable,
  signal: AbortSignal,
): Promise<void> {
  // The archive remembers each entry to its end, and what its function refers to with it: not the stream.
  let waiting: Readable | undefined = addAbortSignal(signal, stream);
  zip.addReadStreamLazy(path, options, (give) => {
    if (waiting) give(null, waiting);
    waiting = undefined;
  });
  return finished(stream, { writable: false });
}
