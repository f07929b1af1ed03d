import { addAbortSignal, type Readable } from 'node:stream';
import type { ExportSubmissionsResponse } from '@gradeway/proto/submissions';
import type { FileLibrary, LibraryFile } from './fileLibrary.ts';
import { FileMissingError } from './fileStore.ts';

/** A file that was handed in, with whose answer it is to what. */
export interface SubmittedFile extends LibraryFile {
  itemId: number;
  itemTitle: string;
  submissionId: number;
  studentId: number;
  /** Null when the account was deleted. */
  studentName: string | null;
  studentEmail: string | null;
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
}

const chunkBytes = 128 * 1024;

/**
 * The answer of the RPC `ExportSubmissions`: each file and its bytes, one after another; never more than one is open.
 * A file that the store has lost is told as missing, any other failure of the store is thrown.
 */
export async function* streamSubmissions(
  library: FileLibrary,
  submitted: AsyncIterable<SubmittedFile>,
  gone: AbortSignal,
): AsyncGenerator<ExportSubmissionsResponse, void, void> {
  for await (const file of submitted) {
    const content = await open(library, file);
    if (content === 'removed') continue;
    if (content === 'missing') {
      yield { file: { ...toMessage(file), missing: true } };
      continue;
    }
    try {
      // A store that hangs must not keep a call that nobody waits for.
      addAbortSignal(gone, content);
      yield { file: toMessage(file) };
      for await (const bytes of content) yield* chunksOf(bytes);
    } finally {
      content.destroy();
    }
  }
}

async function open(library: FileLibrary, file: LibraryFile): Promise<Readable | 'missing' | 'removed'> {
  try {
    return await library.open(file);
  } catch (error) {
    if (!(error instanceof FileMissingError)) throw error;
    // Removed since it was listed, as it should be: that is no loss.
    return (await library.find(file.id)) ? 'missing' : 'removed';
  }
}

function* chunksOf(bytes: Buffer): Generator<ExportSubmissionsResponse> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield { chunk: bytes.subarray(start, start + chunkBytes) };
}

function toMessage({ grade, totalGrade, submittedAt, ...file }: SubmittedFile) {
  const { itemId, itemTitle, submissionId, studentId, name, size, sha256 } = file;
  const ms = submittedAt.getTime();
  return {
    ...{ itemId, itemTitle, submissionId, studentId, name, size, sha256 },
    studentName: file.studentName ?? '',
    studentEmail: file.studentEmail ?? '',
    submittedAt: { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 },
    ...(grade === null ? {} : { grade }),
    ...(totalGrade === null ? {} : { totalGrade }),
  };
}
