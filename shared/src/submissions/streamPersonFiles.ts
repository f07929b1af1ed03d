import { addAbortSignal } from 'node:stream';
import type { ExportPersonResponse } from '@gradeway/proto/personal';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import { FileMissingError } from '../files/fileStore.ts';
import { toTimestamp } from '../grpc/timestamp.ts';

/** A file that a person submitted, current or replaced. */
export interface PersonalFile extends LibraryFile {
  /** Id of the class (homework) or quiz. */
  itemId: number;
  itemTitle: string;
  submittedAt: Date;
}

const chunkBytes = 128 * 1024;

/** Yields the response messages of the RPC `ExportPerson` for files: each file's metadata, then its content. Opens one file at a time. */
export async function* streamPersonFiles(
  library: FileLibrary,
  files: AsyncIterable<PersonalFile>,
  signal: AbortSignal,
): AsyncGenerator<ExportPersonResponse> {
  for await (const file of files) {
    const content = await library.open(file).catch((error: unknown) => {
      if (error instanceof FileMissingError) return undefined;
      throw error;
    });
    if (!content) {
      yield { file: { ...toMessage(file), missing: true } };
      continue;
    }
    try {
      addAbortSignal(signal, content);
      yield { file: toMessage(file) };
      for await (const bytes of content as AsyncIterable<Buffer>)
        for (let start = 0; start < bytes.length; start += chunkBytes)
          yield { chunk: bytes.subarray(start, start + chunkBytes) };
    } finally {
      content.destroy();
    }
  }
}

const toMessage = ({ id, itemId, itemTitle, name, size, sha256, submittedAt }: PersonalFile) => ({
  fileId: id,
  itemId,
  itemTitle,
  name,
  size,
  sha256,
  submittedAt: toTimestamp(submittedAt),
});
