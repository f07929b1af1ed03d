import { createReadStream } from 'node:fs';
import type { ExportSubmissionsResponse } from '@gradeway/proto/submissions';
import type { RenderedPdf } from '../annotatedPdf/pdfRenderer.ts';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import { FileMissingError } from '../files/fileStore.ts';
import { toTimestamp } from '../grpc/timestamp.ts';
import { archiveInterval, BufferCollector } from '../v8/bufferCollector.ts';
import type { RenderCopy } from './annotatedCopies.ts';
import { openAhead } from './openAhead.ts';
import { openForReceiver, openVerified } from './openVerified.ts';

/** A submitted file with its submission and student. */
export interface SubmittedFile extends LibraryFile {
  /** Id of the class (homework) or quiz. */
  itemId: number;
  itemTitle: string;
  submissionId: number;
  studentId: number;
  /** Null when the account has been deleted. */
  studentName: string | null;
  studentEmail: string | null;
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
}

const chunkBytes = 128 * 1024;
// Each byte of a file passes through three buffers: it is read into the first, encoded into the second and framed in
// the third.
const buffersOfByte = 3;

/**
 * Yields the response messages of the RPC `ExportSubmissions`: for each file its metadata, then its content in chunks. Small files are
 * read ahead (`openAhead`); only one larger file is open at a time. A file that is not in the store is marked as `missing`. A file
 * whose bytes do not match its record is also marked as `damaged`. Other errors of the store are thrown. The receiver verifies the SHA-256 of
 * files of at most 1 MiB. With `renderCopy`, an annotated copy follows each file that has one, and every file is verified here.
 */
export async function* streamSubmissions(
  library: FileLibrary,
  submitted: AsyncIterable<SubmittedFile>,
  signal: AbortSignal,
  renderCopy?: RenderCopy,
): AsyncGenerator<ExportSubmissionsResponse, void, void> {
  const collector = new BufferCollector(archiveInterval);
  const open = (file: SubmittedFile) =>
    // A copy must not be rendered from damaged bytes.
    unlessMissing(library, file, (renderCopy ? openVerified : openForReceiver)(library, file, signal));
  for await (const opened of openAhead(submitted, open)) {
    const { file } = opened;
    const content = await opened.content();
    if (content === 'removed') continue;
    if (content === 'missing' || content === 'damaged') {
      const annotated = renderCopy ? { annotated: false } : {};
      yield { file: { ...toMessage(file), missing: true, damaged: content === 'damaged', ...annotated } };
      continue;
    }
    await using copy = await renderCopy?.(file);
    yield { file: { ...toMessage(file), ...(renderCopy ? { annotated: copy !== undefined } : {}) } };
    for await (const bytes of content) yield* chunksOf(bytes, collector);
    if (copy) yield* copyMessages(file, copy, collector);
  }
}

async function* copyMessages(
  file: SubmittedFile,
  { path, name, size, sha256 }: RenderedPdf,
  collector: BufferCollector,
): AsyncGenerator<ExportSubmissionsResponse> {
  yield { file: { ...toMessage({ ...file, name, size, sha256 }), isCopy: true } };
  for await (const bytes of createReadStream(path, { highWaterMark: chunkBytes }))
    yield* chunksOf(bytes, collector);
}

/** The opened file, or the reason why it could not be opened. */
async function unlessMissing<Opened>(library: FileLibrary, file: LibraryFile, opening: Promise<Opened>) {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof FileMissingError)) throw error;
    // Without a row, the file was removed intentionally after it had been listed.
    return (await library.find(file.id)) ? 'missing' : 'removed';
  }
}

function* chunksOf(bytes: Buffer, collector: BufferCollector): Generator<ExportSubmissionsResponse> {
  collector.count(buffersOfByte * bytes.length);
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield { chunk: bytes.subarray(start, start + chunkBytes) };
}

function toMessage({ grade, totalGrade, submittedAt, ...file }: SubmittedFile) {
  const { itemId, itemTitle, submissionId, studentId, name, size, sha256 } = file;
  return {
    itemId,
    itemTitle,
    submissionId,
    studentId,
    name,
    size,
    sha256,
    studentName: file.studentName ?? '',
    studentEmail: file.studentEmail ?? '',
    submittedAt: toTimestamp(submittedAt),
    ...(grade === null ? {} : { grade }),
    ...(totalGrade === null ? {} : { totalGrade }),
  };
}
