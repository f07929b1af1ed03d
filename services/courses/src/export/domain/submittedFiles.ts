import { createHash } from 'node:crypto';
import type {
  ExportSubmissionsPart,
  SubmittedFile as SubmittedFileMessage,
} from '@gradeway/proto/submissions';
import { readAtOnceBytes } from '@gradeway/shared/submissions/openVerified';
import { archiveInterval, BufferCollector } from '@gradeway/shared/v8/bufferCollector';

export type SubmissionKind = 'homework' | 'quiz';

/** The contents of an archive. */
export interface ArchiveRequest {
  courseId: number;
  /** Whether it includes annotated copies of the files. */
  annotated: boolean;
  /** Whether its manifest starts with a byte order mark (D64). */
  bom: boolean;
}

type Parts = AsyncGenerator<ExportSubmissionsPart, void, void>;

/** A submitted file. Its content must be consumed before the next file is requested. */
export type SubmittedFile = SubmittedFileMessage & { content: AsyncIterable<Buffer> | Iterable<Buffer> };

/**
 * Splits a stream of `ExportSubmissions` into files. A file of at most 1 MiB is read at once, and marked as damaged if
 * it does not match its SHA-256. For a larger file, a mismatch makes the content stream end with an error.
 */
export async function* splitFiles(parts: Parts): AsyncGenerator<SubmittedFile, void, void> {
  const collector = new BufferCollector(archiveInterval);
  for await (const { file } of parts) {
    if (!file) throw new Error('ExportSubmissions sent a chunk without a file');
    if (file.missing) yield { ...file, content: [] };
    else if (file.size > readAtOnceBytes) yield { ...file, content: readVerified(file, parts, collector) };
    else {
      const content: Buffer[] = [];
      const sum = createHash('sha256');
      for await (const chunk of readContent(file, parts, collector)) {
        sum.update(chunk);
        content.push(chunk);
      }
      if (sum.digest('hex') === file.sha256) yield { ...file, content };
      // The manifest already lists the copy as present.
      else if (file.isCopy) throw differs(file);
      else yield { ...file, missing: true, damaged: true, content: [] };
    }
  }
}

// A mismatch means corruption in transit, because the sender verifies the checksum too.
async function* readVerified(
  file: SubmittedFileMessage,
  parts: Parts,
  collector: BufferCollector,
): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  for await (const chunk of readContent(file, parts, collector)) {
    sum.update(chunk);
    yield chunk;
  }
  if (sum.digest('hex') !== file.sha256) throw differs(file);
}

const differs = ({ submissionId }: SubmittedFileMessage): Error =>
  new Error(`a file of submission ${submissionId} does not match its checksum`);

// Each byte arrives in one buffer and is copied to the buffer of its message.
const buffersOfByte = 2;

async function* readContent(
  { submissionId, size }: SubmittedFileMessage,
  parts: Parts,
  collector: BufferCollector,
): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const { value } = await parts.next();
    if (!value?.chunk) throw new Error(`a file of submission ${submissionId} is shorter than its record`);
    left -= value.chunk.length;
    if (left < 0) throw new Error(`a file of submission ${submissionId} is longer than its record`);
    collector.count(buffersOfByte * value.chunk.length);
    yield value.chunk;
  }
}
