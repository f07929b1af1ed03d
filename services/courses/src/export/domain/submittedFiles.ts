import { createHash } from 'node:crypto';
import type { ExportSubmissionsPart, SubmittedFile } from '@gradeway/proto/submissions';

type Dependencies = AsyncGenerator<ExportSubmissionsPart, void, void>;

/** A submitted file and its bytes, which must be read before the next file is asked for. */
export type SubmittedContent = SubmittedFile & { content: AsyncGenerator<Buffer> };

/** The files that a stream of `ExportSubmissions` is made of, one after another. */
export async function* filesOf(dependencies: Dependencies): AsyncGenerator<SubmittedContent, void, void> {
  for await (const { file } of dependencies) {
    if (!file) throw new Error('bytes that belong to no file');
    yield { ...file, content: contentOf(file, dependencies) };
  }
}

// What was stored is what is handed out: another length or another sum is a fault, of the store or of the way.
async function* contentOf(
  { submissionId, size, sha256 }: SubmittedFile,
  dependencies: Dependencies,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for (let left = size; left > 0; ) {
    const { value } = await dependencies.next();
    if (!value?.chunk) throw new Error(`a file of submission ${submissionId} is shorter than it was`);
    left -= value.chunk.length;
    if (left < 0) throw new Error(`a file of submission ${submissionId} is longer than it was`);
    hash.update(value.chunk);
    yield value.chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`a file of submission ${submissionId} has changed`);
}
