import { createHash } from 'node:crypto';
import type {
  ExportSubmissionsPart,
  SubmittedFile as SubmittedFileMessage,
} from '@gradeway/proto/submissions';
import { BufferCollector } from '@gradeway/shared/process/bufferCollector';

export type SubmissionKind = 'homework' | 'quiz';

/** What an archive contains. */
export interface ArchiveRequest {
  courseId: number;
  /** Annotated copies of the files, too. */
  annotated: boolean;
}

type Parts = AsyncGenerator<ExportSubmissionsPart, void, void>;

/** A submitted file. Its content must be consumed before the next file is requested. */
export type SubmittedFile = SubmittedFileMessage & { content: AsyncGenerator<Buffer> };

/** Splits a stream of `ExportSubmissions` into files. */
export async function* splitFiles(parts: Parts): AsyncGenerator<SubmittedFile, void, void> {
  const collector = new BufferCollector();
  for await (const { file } of parts) {
    if (!file) throw new Error('ExportSubmissions sent a chunk without a file');
    yield { ...file, content: readContent(file, parts, collector) };
  }
}

// Each byte arrives in one buffer, and is copied to that of its message.
const buffersOfByte = 2;

// A different length or checksum means corruption in the store or in transit.
async function* readContent(
  { submissionId, size, sha256 }: SubmittedFileMessage,
  parts: Parts,
  collector: BufferCollector,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for (let left = size; left > 0; ) {
    const { value } = await parts.next();
    if (!value?.chunk) throw new Error(`a file of submission ${submissionId} is shorter than its record`);
    left -= value.chunk.length;
    if (left < 0) throw new Error(`a file of submission ${submissionId} is longer than its record`);
    hash.update(value.chunk);
    collector.count(buffersOfByte * value.chunk.length);
    yield value.chunk;
  }
  if (hash.digest('hex') !== sha256)
    throw new Error(`a file of submission ${submissionId} does not match its checksum`);
}
