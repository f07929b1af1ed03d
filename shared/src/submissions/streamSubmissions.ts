import type { ExportSubmissionsResponse } from '@gradeway/proto/submissions';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import { FileMissingError } from '../files/fileStore.ts';
import { toTimestamp } from '../grpc/timestamp.ts';
import { openVerified } from './openVerified.ts';

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

/**
 * Response messages of the RPC `ExportSubmissions`: for each file its metadata, then its content in chunks. Only one file
 * is open at a time. A file that the store does not have is marked `missing`, one whose bytes do not match their record
 * also `damaged`; other errors of the store are thrown.
 */
export async function* streamSubmissions(
  library: FileLibrary,
  submitted: AsyncIterable<SubmittedFile>,
  signal: AbortSignal,
): AsyncGenerator<ExportSubmissionsResponse, void, void> {
  for await (const file of submitted) {
    const content = await open(library, file, signal);
    if (content === 'removed') continue;
    if (content === 'missing' || content === 'damaged') {
      yield { file: { ...toMessage(file), missing: true, damaged: content === 'damaged' } };
      continue;
    }
    yield { file: toMessage(file) };
    for await (const bytes of content) yield* chunksOf(bytes);
  }
}

async function open(library: FileLibrary, file: LibraryFile, signal: AbortSignal) {
  try {
    return await openVerified(library, file, signal);
  } catch (error) {
    if (!(error instanceof FileMissingError)) throw error;
    // Without a row, the file was removed on purpose after it had been listed.
    return (await library.find(file.id)) ? 'missing' : 'removed';
  }
}

function* chunksOf(bytes: Buffer): Generator<ExportSubmissionsResponse> {
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
